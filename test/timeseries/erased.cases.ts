import { ManualClock } from '#platform';
import { VitalsDaysRepository } from '#timeseries';
import { Types } from 'mongoose';
import { ChartUpkeep } from '../../apps/notifier/src/charts/chart-upkeep.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import {
  asAdmin,
  registerBottle,
  startDeviceApi,
  startNotifier,
  startSupportApi,
} from '../../tools/harness/services.js';

describe('erased', () => {
  const NOW = new Date('2026-03-02T12:00:00Z');

  let database: TestDatabase;
  beforeAll(async () => {
    database = await newDatabase('erased');
  });
  afterAll(() => database?.drop());

  it('what is counted of an erased bottle goes with the next hour; what another has yet to count stays', async () => {
    const clock = new ManualClock(NOW);
    const [support, device, notifier] = [
      await startSupportApi(database.uri, clock),
      await startDeviceApi(database.uri, clock),
      await startNotifier(database.uri, clock),
    ];
    const [erased, stays] = [await registerBottle(support, device), await registerBottle(support, device)];
    const days = async (): Promise<string[]> => {
      const found = database.db.collection<{ _id: { bottle_id: Types.ObjectId } }>('ts_vitals_202603').find();
      return (await found.toArray()).map(({ _id }) => _id.bottle_id.toHexString());
    };

    await asAdmin(support).delete(`/v1/bottles/${erased.id}`).expect(200);
    // as if a notifier had read its heartbeats just before, and writes its day now
    const timestamp = new Date('2026-03-01T00:00:00Z');
    for (const { id } of [erased, stays]) {
      const hours = { 8: { battery: { num_samples: 1, total: 50, min: 50, max: 50 } } };
      await notifier.app
        .get(VitalsDaysRepository)
        .write([{ _id: { bottle_id: new Types.ObjectId(id), timestamp }, hours }]);
    }
    expect((await days()).sort()).toEqual([erased.id, stays.id].sort());
    clock.advance(50 * 60_000);
    await notifier.app.get(ChartUpkeep).renew();
    expect(await days()).toEqual([stays.id]);

    // another notifier is counting, and two days behind
    const live = 'ts_live_20260228';
    await database.db.createCollection(live);
    const behind = {
      until: new Date('2026-02-28T12:00:00Z'),
      lease: { token: 'x', ends_at: new Date(clock.now().getTime() + 60_000) },
    };
    const progress = database.db.collection<{ _id: string }>('ts_progress');
    await progress.updateOne({ _id: 'reports' }, { $set: behind });
    const isThere = async (): Promise<boolean> =>
      (await database.db.listCollections({ name: live }).toArray()).length > 0;
    await notifier.app.get(ChartUpkeep).renew();
    expect(await isThere()).toBe(true);
    clock.advance(60_000);
    await notifier.app.get(ChartUpkeep).renew();
    expect(await isThere()).toBe(false);
    await Promise.all([support, device, notifier.app].map((app) => app.close()));
  });
});
