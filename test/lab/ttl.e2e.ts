import { SystemClock } from '#platform';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { registerBottle, startDeviceApi, startSupportApi } from '../support/services.js';
import { Persistence } from './persistence.js';

const FOURTEEN_DAYS_S = 1_209_600;

let database: TestDatabase;

beforeEach(async () => {
  database = await testDatabase('ttl');
});
afterEach(() => database.drop());

async function expireAfterSeconds(): Promise<number | undefined> {
  const indexes = await database.db.collection('bottle_heartbeats').indexes();
  return indexes.find(({ name }) => name === 'TTL')?.expireAfterSeconds;
}

describe('with the database’s sweep every second', () => {
  let sweep: unknown;

  beforeAll(async () => {
    const probe = await testDatabase('ttl-parameter');
    const set = await probe.client.db('admin').command({ setParameter: 1, ttlMonitorSleepSecs: 1 });
    sweep = set['was'];
    await probe.drop();
  });
  afterAll(async () => {
    const probe = await testDatabase('ttl-parameter');
    await probe.client.db('admin').command({ setParameter: 1, ttlMonitorSleepSecs: sweep });
    await probe.drop();
  });

  it('heartbeats go when their time is over, actions stay', async () => {
    const device = await startDeviceApi(database.uri, undefined, { HEARTBEAT_RETENTION: '1s' });
    const support = await startSupportApi(database.uri, undefined, { HEARTBEAT_RETENTION: '1s' });
    try {
      const bottle = await registerBottle(support, device);
      const time = new SystemClock().now().toISOString();
      for (let count = 0; count < 3; count += 1) await bottle.post('/v1/heartbeats').expect(204);
      const action = { action: 'opened', time, mass_of_contents: 44.25, number_of_pills: 25 };
      await bottle.post('/v1/actions', action).expect(201);
      // the sweep already under way when the parameter was set may sleep its old minute to the end
      await eventually(async () => {
        expect(await database.db.collection('bottle_heartbeats').countDocuments()).toBe(0);
      }, 75_000);
      expect(await database.db.collection('bottle_actions').countDocuments()).toBe(1);
      const state = await database.db.collection('bottle_states').findOne();
      expect(state).toMatchObject({ last_heard_at: expect.any(Date) });
    } finally {
      await device.close();
      await support.close();
    }
  }, 120_000);
});

it('a changed retention is applied to the index that is there', async () => {
  const retentions = [FOURTEEN_DAYS_S, 30 * 86_400, 1, FOURTEEN_DAYS_S];
  for (const seconds of retentions) {
    const persistence = await Persistence.open(database.uri, seconds * 1_000);
    expect(await expireAfterSeconds()).toBe(seconds);
    await persistence.close();
  }
});

it('many processes that start at once agree on the indexes', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => Persistence.open(database.uri, 86_400_000)));
  expect(await expireAfterSeconds()).toBe(86_400);
  await Promise.all(all.map((one) => one.close()));
});
