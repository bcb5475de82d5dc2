import { DAY_MS, MINUTE_MS, HOUR_MS } from '#domain';
import { BatteryLowCheck } from '../../apps/notifier/src/alert-kinds/battery-low/battery-low.check.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

describe('battery low', () => {
  const KIND = 'battery_low';

  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('battery_low');
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  /** A heartbeat; without a percentage it carries no battery reading. */
  async function report(bottle: TestBottle, battery_percent?: number): Promise<void> {
    const answer = await bottle.post(
      '/v1/heartbeats',
      battery_percent === undefined ? {} : { battery_percent },
    );
    expect(answer.status).toBe(204);
  }

  const check = (notifier = harness.notifier) => notifier.app.get(BatteryLowCheck).run();

  it('is low after a day of low reports, not a millisecond before, and is sent once', async () => {
    const bottle = await harness.register();
    await report(bottle, 15);
    expect(await harness.state(bottle)).not.toHaveProperty('battery_low_at');
    await harness.pass(1);
    await report(bottle, 14);
    const since = harness.clock.now();
    await harness.pass(DAY_MS - 30 * MINUTE_MS);
    await report(bottle);
    await report(bottle, 12);
    await harness.pass(30 * MINUTE_MS - 1);
    expect(await check()).toEqual({ checked: 0, failed: 0 });
    await harness.pass(1);
    await check();
    await check();
    await harness.pass(1);
    await harness.notifier.runAll();
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle, KIND)).toMatchObject([
      {
        state: 'open',
        evidence: {
          low_percent: 15,
          low_since: since,
          battery_percent: 12,
          readings: [{ at: since, percent: 14 }, { percent: 12 }],
        },
      },
    ]);
    expect(harness.received(bottle, KIND)).toEqual(['raised']);
  });

  it('a reading that is not low starts the day again, by the log', async () => {
    const bottle = await harness.register();
    await report(bottle, 14);
    await harness.pass(HOUR_MS);
    await report(bottle, 15);
    await harness.pass(HOUR_MS);
    await report(bottle, 14);
    await harness.pass(DAY_MS - 30 * MINUTE_MS);
    await report(bottle, 14);
    await harness.pass(30 * MINUTE_MS - 1);
    await check();
    expect(await harness.alerts(bottle, KIND)).toEqual([]);
    await harness.pass(1);
    await check();
    expect(await harness.alerts(bottle, KIND)).toHaveLength(1);
  });

  it('ends at 10 above the threshold, and not below that', async () => {
    const bottle = await lowFor(DAY_MS);
    await check();
    await report(bottle, 24);
    await harness.pass(15 * MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle, KIND)).toMatchObject([{ state: 'open' }]);
    await report(bottle, 25);
    await harness.pass(15 * MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle, KIND)).toMatchObject([
      { state: 'resolved', evidence: { recovered_percent: 25 } },
    ]);
    expect(harness.received(bottle, KIND)).toEqual(['raised', 'resolved']);
    const state = await harness.state(bottle);
    expect(state).not.toHaveProperty('battery_low_at');
    expect(state).not.toHaveProperty('battery_low_since');
  });

  it('two notifiers at once raise one alert for each bottle', async () => {
    const bottles = await harness.registerMany(20);
    const other = await harness.addNotifier();
    await Promise.all(bottles.map((bottle) => report(bottle, 3)));
    await harness.pass(DAY_MS);
    await Promise.all(bottles.map((bottle) => report(bottle, 3)));
    await Promise.all([check(), check(other)]);
    await Promise.all([harness.notifier.runAll(), other.runAll()]);
    for (const bottle of bottles) {
      expect(await harness.alerts(bottle, KIND)).toHaveLength(1);
      expect(harness.received(bottle, KIND)).toEqual(['raised']);
    }
  });

  it('quarantines a bad record and continues with the good ones', async () => {
    const [first, bad, last] = await harness.registerMany(3);
    for (const bottle of [first!, bad!, last!]) await report(bottle, 5);
    await harness.pass(DAY_MS);
    for (const bottle of [first!, bad!, last!]) await report(bottle, 5);
    await harness.database.db
      .collection('bottle_heartbeats')
      .updateOne({ bottle_id: (await harness.state(bad!))._id }, { $set: { battery_percent: 'none' } });
    expect(await check()).toMatchObject({ failed: 1 });
    for (const good of [first!, last!]) expect(await harness.alerts(good, KIND)).toHaveLength(1);
    expect(await harness.alerts(bad!, KIND)).toEqual([]);
    expect(await harness.state(bad!)).toMatchObject({ set_aside: { check: 'BatteryLowCheck' } });
  });

  it('a silent bottle raises nothing, and neither does a disabled kind', async () => {
    const silent = await harness.register();
    await report(silent, 2);
    await harness.pass(DAY_MS);
    await check();
    const disabled = await lowFor(DAY_MS);
    await check(await harness.addNotifier({ DISABLED_ALERTS: KIND }));
    for (const bottle of [silent, disabled]) expect(await harness.alerts(bottle, KIND)).toEqual([]);
  });

  it('is not raised again after staff have closed it, until it has recovered', async () => {
    const bottle = await lowFor(DAY_MS);
    await check();
    const [alert] = await harness.alerts(bottle, KIND);
    await asAdmin(harness.support)
      .post(`/v1/alerts/${alert!._id.toHexString()}/close`)
      .send({ reason: 'duplicate' })
      .expect(200);
    await report(bottle, 10);
    await harness.pass(DAY_MS);
    await report(bottle, 10);
    await check();
    expect(await harness.alerts(bottle, KIND)).toHaveLength(1);
  });

  /** A bottle that reports a low battery for a time, the last time at its end. */
  async function lowFor(time: number): Promise<TestBottle> {
    const bottle = await harness.register();
    await report(bottle, 14);
    await harness.pass(time);
    await report(bottle, 13);
    return bottle;
  }
});
