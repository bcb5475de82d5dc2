import { ManualClock } from '#platform';
import { VitalsDaysRepository } from '#timeseries';
import { Types } from 'mongoose';
import { ChartUpkeep } from '../../apps/notifier/src/charts/chart-upkeep.js';
import { testDatabase, type TestDatabase } from '../../tools/harness/database.js';
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
    database = await testDatabase('erased');
  });
  afterAll(() => database?.drop());

  it('what is counted of a bottle after it was erased goes with the next hour', async () => {
    const clock = new ManualClock(NOW);
    const [support, device, notifier] = [
      await startSupportApi(database.uri, clock),
      await startDeviceApi(database.uri, clock),
      await startNotifier(database.uri, clock),
    ];
    const [gone, stays] = [await registerBottle(support, device), await registerBottle(support, device)];
    const days = async (): Promise<string[]> => {
      const found = database.db.collection<{ _id: { bottle_id: Types.ObjectId } }>('ts_vitals_202603').find();
      return (await found.toArray()).map(({ _id }) => _id.bottle_id.toHexString());
    };

    await asAdmin(support).delete(`/v1/bottles/${gone.id}`).expect(200);
    // as if a notifier had read its heartbeats just before, and writes its day now
    const timestamp = new Date('2026-03-01T00:00:00Z');
    for (const { id } of [gone, stays]) {
      const hours = { 8: { battery: { num_samples: 1, total: 50, min: 50, max: 50 } } };
      await notifier.app
        .get(VitalsDaysRepository)
        .write([{ _id: { bottle_id: new Types.ObjectId(id), timestamp }, hours }]);
    }
    expect((await days()).sort()).toEqual([gone.id, stays.id].sort());
    clock.advance(50 * 60_000);
    await notifier.app.get(ChartUpkeep).renew();
    expect(await days()).toEqual([stays.id]);
    await Promise.all([support, device, notifier.app].map((app) => app.close()));
  });
});
