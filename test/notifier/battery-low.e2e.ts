import { BatteryLowCheck } from '../../apps/notifier/src/alert-kinds/battery-low/battery-low.check.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { HOUR, MINUTE, World } from './world.js';

const DAY = 24 * HOUR;
const KIND = 'battery_low';

let world: World;

beforeAll(async () => {
  world = await World.start('battery_low');
});
afterAll(() => world?.stop());

beforeEach(() => world.begin());

/** A heartbeat; without a percentage it carries no battery reading. */
async function report(bottle: TestBottle, battery_percent?: number): Promise<void> {
  const answer = await bottle.post(
    '/v1/heartbeats',
    battery_percent === undefined ? {} : { battery_percent },
  );
  expect(answer.status).toBe(204);
}

const check = (notifier = world.notifier) => notifier.app.get(BatteryLowCheck).run();

it('is low after a day of low reports, not a millisecond before, and is told once', async () => {
  const bottle = await world.register();
  await report(bottle, 15);
  expect(await world.state(bottle)).not.toHaveProperty('battery_low_at');
  await world.pass(1);
  await report(bottle, 14);
  const since = world.clock.now();
  await world.pass(DAY - 30 * MINUTE);
  await report(bottle);
  await report(bottle, 12);
  await world.pass(30 * MINUTE - 1);
  expect(await check()).toEqual({ checked: 0, failed: 0 });
  await world.pass(1);
  await check();
  await check();
  await world.pass(1);
  await world.notifier.runAll();
  await world.notifier.runAll();
  expect(await world.alerts(bottle, KIND)).toMatchObject([
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
  expect(world.heard(bottle, KIND)).toEqual(['raised']);
});

it('a reading that is not low starts the day anew, by the log', async () => {
  const bottle = await world.register();
  await report(bottle, 14);
  await world.pass(HOUR);
  await report(bottle, 15);
  await world.pass(HOUR);
  await report(bottle, 14);
  await world.pass(DAY - 30 * MINUTE);
  await report(bottle, 14);
  await world.pass(30 * MINUTE - 1);
  await check();
  expect(await world.alerts(bottle, KIND)).toEqual([]);
  await world.pass(1);
  await check();
  expect(await world.alerts(bottle, KIND)).toHaveLength(1);
});

it('ends at 10 above the threshold, and not below that', async () => {
  const bottle = await lowFor(DAY);
  await check();
  await report(bottle, 24);
  await world.pass(15 * MINUTE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle, KIND)).toMatchObject([{ state: 'open' }]);
  await report(bottle, 25);
  await world.pass(15 * MINUTE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle, KIND)).toMatchObject([
    { state: 'resolved', evidence: { recovered_percent: 25 } },
  ]);
  expect(world.heard(bottle, KIND)).toEqual(['raised', 'resolved']);
  const state = await world.state(bottle);
  expect(state).not.toHaveProperty('battery_low_at');
  expect(state).not.toHaveProperty('battery_low_since');
});

it('two notifiers at once raise one alert for each bottle', async () => {
  const bottles = await world.registerMany(20);
  const other = await world.addNotifier();
  await Promise.all(bottles.map((bottle) => report(bottle, 3)));
  await world.pass(DAY);
  await Promise.all(bottles.map((bottle) => report(bottle, 3)));
  await Promise.all([check(), check(other)]);
  await Promise.all([world.notifier.runAll(), other.runAll()]);
  for (const bottle of bottles) {
    expect(await world.alerts(bottle, KIND)).toHaveLength(1);
    expect(world.heard(bottle, KIND)).toEqual(['raised']);
  }
});

it('quarantines a bad record and goes on with the good ones', async () => {
  const [first, bad, last] = await world.registerMany(3);
  for (const bottle of [first!, bad!, last!]) await report(bottle, 5);
  await world.pass(DAY);
  for (const bottle of [first!, bad!, last!]) await report(bottle, 5);
  await world.database.db
    .collection('bottle_heartbeats')
    .updateOne({ bottle_id: (await world.state(bad!))._id }, { $set: { battery_percent: 'none' } });
  expect(await check()).toMatchObject({ failed: 1 });
  for (const good of [first!, last!]) expect(await world.alerts(good, KIND)).toHaveLength(1);
  expect(await world.alerts(bad!, KIND)).toEqual([]);
  expect(await world.state(bad!)).toMatchObject({ set_aside: { check: 'BatteryLowCheck' } });
});

it('a silent bottle raises nothing, and neither does a disabled kind', async () => {
  const silent = await world.register();
  await report(silent, 2);
  await world.pass(DAY);
  await check();
  const disabled = await lowFor(DAY);
  await check(await world.addNotifier({ DISABLED_ALERTS: KIND }));
  for (const bottle of [silent, disabled]) expect(await world.alerts(bottle, KIND)).toEqual([]);
});

it('is not raised again after staff have closed it, until it has recovered', async () => {
  const bottle = await lowFor(DAY);
  await check();
  const [alert] = await world.alerts(bottle, KIND);
  await asAdmin(world.support).post(`/v1/alerts/${alert!._id.toHexString()}/resolve`).send({}).expect(200);
  await report(bottle, 10);
  await world.pass(DAY);
  await report(bottle, 10);
  await check();
  expect(await world.alerts(bottle, KIND)).toHaveLength(1);
});

/** A bottle that reports a low battery for a time, the last time at its end. */
async function lowFor(time: number): Promise<TestBottle> {
  const bottle = await world.register();
  await report(bottle, 14);
  await world.pass(time);
  await report(bottle, 13);
  return bottle;
}
