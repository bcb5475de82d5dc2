import { type EmbeddedDatabase, startEmbeddedDatabase, SystemClock } from '#platform';
import { mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../tools/harness/eventually.js';
import { registerBottle, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';

describe('in a database of its own that sweeps every second', () => {
  let mongod: EmbeddedDatabase;
  let folder: string;
  let client: mongo.MongoClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pillwatch-ttl-'));
    mongod = await startEmbeddedDatabase({ dataDir: folder, cacheSizeGb: 0.25 });
    client = await new mongo.MongoClient(mongod.uri).connect();
    await client.db('admin').command({ setParameter: 1, ttlMonitorSleepSecs: 1 });
  });
  afterAll(async () => {
    await client?.close();
    await mongod?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('heartbeats go when their time is over, actions stay', async () => {
    const db = client.db();
    const device = await startDeviceApi(mongod.uri, undefined, { HEARTBEAT_RETENTION: '1s' });
    const support = await startSupportApi(mongod.uri, undefined, { HEARTBEAT_RETENTION: '1s' });
    try {
      const bottle = await registerBottle(support, device);
      const time = new SystemClock().now().toISOString();
      for (let count = 0; count < 3; count += 1) await bottle.post('/v1/heartbeats').expect(204);
      const action = { action: 'opened', time, mass_of_contents: 44.25, number_of_pills: 25 };
      await bottle.post('/v1/actions', action).expect(201);
      // the sweep already under way when the parameter was set may sleep its old minute to the end
      await eventually(async () => {
        expect(await db.collection('bottle_heartbeats').countDocuments()).toBe(0);
      }, 240_000);
      expect(await db.collection('bottle_actions').countDocuments()).toBe(1);
      expect(await db.collection('bottle_states').findOne()).toMatchObject({
        last_heard_at: expect.any(Date),
      });
    } finally {
      await device.close();
      await support.close();
    }
  });
});
