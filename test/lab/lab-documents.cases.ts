import { HOUR_MS } from '#domain';
import { at, closed, Devices, opened, type RegisteredBottle } from '../device-api/devices.js';

describe('lab documents', () => {
  let devices: Devices;
  let bottle: RegisteredBottle;

  beforeAll(async () => {
    devices = await Devices.start('lab-documents');
    bottle = await devices.register();
  });
  afterAll(() => devices.stop());

  /** The BSON type of every field of the newest document, as the database sees it. */
  async function types(collection: string): Promise<Record<string, string>> {
    const fields = { $objectToArray: '$$ROOT' };
    const [found] = await devices.database.db
      .collection(collection)
      .aggregate<{ types: { k: string; v: string }[] }>([
        { $sort: { time: -1 } },
        { $limit: 1 },
        { $set: { types: { $map: { input: fields, in: { k: '$$this.k', v: { $type: '$$this.v' } } } } } },
      ])
      .toArray();
    return Object.fromEntries(found!.types.map(({ k, v }) => [k, v]));
  }

  const LAB_ACTION = {
    _id: 'objectId',
    bottle_id: 'objectId',
    user_id: 'string',
    medication: 'string',
    mass_of_contents: 'double',
    number_of_pills: 'int',
    time: 'date',
    action: 'string',
  };
  const LAB_HEARTBEAT = {
    _id: 'objectId',
    bottle_id: 'objectId',
    user_id: 'string',
    medication: 'string',
    time: 'date',
  };

  it('an opening and a closing are the lab’s documents', async () => {
    await devices.post(bottle, '/v1/actions', opened(-60_000));
    expect(await types('bottle_actions')).toEqual({ ...LAB_ACTION, received_at: 'date' });
    await devices.post(bottle, '/v1/actions', closed(-30_000));
    expect(await types('bottle_actions')).toEqual({ ...LAB_ACTION, pills_taken: 'int', received_at: 'date' });
  });

  it('a heartbeat is the lab’s document', async () => {
    await devices.post(bottle, '/v1/heartbeats');
    expect(await types('bottle_heartbeats')).toEqual(LAB_HEARTBEAT);
  });

  it('nothing but what it was asked to add stands beside the lab’s fields', async () => {
    devices.clock.advance(1_000);
    await devices.post(
      bottle,
      '/v1/actions',
      opened(4 * HOUR_MS - 10_000, { event_id: 'e', sent_at: at(4 * HOUR_MS) }),
    );
    expect(await types('bottle_actions')).toEqual({
      ...LAB_ACTION,
      received_at: 'date',
      device_time: 'date',
      event_id: 'string',
    });
    await devices.post(bottle, '/v1/heartbeats', { battery_percent: 80, rssi_dbm: -70, number_of_pills: 3 });
    expect(await types('bottle_heartbeats')).toEqual({
      ...LAB_HEARTBEAT,
      battery_percent: 'int',
      rssi_dbm: 'int',
      number_of_pills: 'int',
    });
  });

  it('the indexes are the lab’s four, one by receipt for the charts, and no other but _id', async () => {
    const indexes = async (name: string): Promise<object[]> => {
      const found = await devices.database.db.collection(name).indexes();
      // the order of the keys is what makes an index: as text it is compared, too
      return found
        .map(({ key, ...rest }) => ({ ...rest, v: undefined, keys: JSON.stringify(key) }))
        .sort((one, other) => (one.name! < other.name! ? -1 : 1));
    };
    expect(await indexes('bottle_actions')).toEqual([
      { name: '_id_', keys: '{"_id":1}' },
      { name: 'by_receipt', keys: '{"received_at":1}' },
      {
        name: 'find_missed_dosages',
        keys: '{"bottle_id":1,"action":1,"time":1,"pills_taken":1,"user_id":1,"medication":1}',
      },
      { name: 'find_open_bottles', keys: '{"bottle_id":1,"time":1,"action":1,"user_id":1,"medication":1}' },
    ]);
    expect(await indexes('bottle_heartbeats')).toEqual([
      { name: 'TTL', keys: '{"time":1}', expireAfterSeconds: 1_209_600 },
      { name: '_id_', keys: '{"_id":1}' },
      { name: 'find_last_heartbeat', keys: '{"bottle_id":1,"time":1,"user_id":1,"medication":1}' },
    ]);
  });
});
