import { mongo } from 'mongoose';
import { HOUR, MINUTE, World } from './world.js';

let world: World;

beforeAll(async () => {
  world = await World.start('silent');
});
afterAll(() => world?.stop());

beforeEach(() => world.begin());

it('is silent at its deadline, not before, and once', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  await world.pass(HOUR - 1);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toEqual([]);
  await world.pass(1);
  await world.notifier.runAll();
  const alerts = await world.alerts(bottle);
  expect(alerts).toMatchObject([{ kind: 'bottle_silent', state: 'open' }]);
  await world.notifier.runAll();
  await world.pass(3 * HOUR);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toMatchObject([{ _id: alerts[0]!._id, state: 'open' }]);
  expect(world.heard(bottle, 'bottle_silent')).toEqual(['raised']);
  expect(world.receiver.requests).toHaveLength(1);
});

it('two notifiers at once raise and deliver each once', async () => {
  const bottles = await world.registerMany(40);
  const other = await world.addNotifier();
  await world.heartbeat(...bottles);
  await world.pass(HOUR);
  await Promise.all([world.notifier.silent.run(), other.silent.run()]);
  await Promise.all([world.notifier.runAll(), other.runAll()]);
  for (const bottle of bottles) {
    expect(await world.alerts(bottle)).toHaveLength(1);
    expect(await world.state(bottle)).not.toHaveProperty('silent_claim');
  }
  expect(world.receiver.requests.filter(({ data }) => data.kind === 'bottle_silent')).toHaveLength(40);
});

it('sets a bad record aside and goes on with the good ones', async () => {
  const [first, bad, last] = await world.registerMany(3);
  await world.heartbeat(first!, bad!, last!);
  await world.setState(bad!, { $set: { last_heard_at: 'never a date' } });
  await world.pass(HOUR);
  const result = await world.notifier.silent.run();
  expect(result.failed).toBe(1);
  for (const good of [first!, last!]) expect(await world.alerts(good)).toHaveLength(1);
  expect(await world.alerts(bad!)).toEqual([]);
  expect(await world.state(bad!)).toMatchObject({
    set_aside: { check: 'SilentBottlesCheck', at: world.clock.now() },
  });
  expect(await world.notifier.silent.run()).toMatchObject({ checked: 0, failed: 0 });
});

it('a corrupt schedule does not hide a silence', async () => {
  const bottle = await world.register({ schedule: { kind: 'times_of_day', times: ['08:00'] } });
  await world.heartbeat(bottle);
  await world.database.db
    .collection('bottles')
    .updateOne(
      { _id: new mongo.ObjectId(bottle.id) },
      { $set: { 'schedule_versions.0.schedule': { kind: 'no such kind' } } },
    );
  await world.pass(HOUR);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toMatchObject([{ kind: 'bottle_silent' }]);
});

it('is never silent before its first contact', async () => {
  const bottle = await world.register();
  await world.pass(72 * HOUR);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toEqual([]);
  expect(await world.state(bottle)).toMatchObject({ quiet: 'never_heard' });
});

it('our own outage is not their silence: it begins when we have listened for an hour', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  await world.device.close();
  world.clock.advance(3 * HOUR);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toEqual([]);
  await world.startDevice();
  await world.notifier.runAll();
  await world.pass(HOUR - MINUTE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toEqual([]);
  await world.pass(MINUTE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toMatchObject([{ kind: 'bottle_silent' }]);
});

it('a state that lagged behind the log raises no false alarm', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  await world.pass(30 * MINUTE);
  const heard = world.clock.now();
  const { user_id, medication } = await world.state(bottle);
  await world.database.db
    .collection('bottle_heartbeats')
    .insertOne({ bottle_id: new mongo.ObjectId(bottle.id), user_id, medication, time: heard });
  await world.pass(30 * MINUTE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toEqual([]);
  expect(await world.state(bottle)).toMatchObject({
    last_heard_at: heard,
    silent_at: new Date(heard.getTime() + HOUR),
  });
  await world.pass(30 * MINUTE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toHaveLength(1);
});

it('a heartbeat that races the check leaves no alarm behind', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  await world.pass(HOUR);
  await world.betweenClaimAndAlert(() => world.heartbeat(bottle), world.notifier.silent);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
  expect(await world.state(bottle)).toMatchObject({
    silent_at: new Date(world.clock.now().getTime() + HOUR),
  });
  expect(await world.state(bottle)).not.toHaveProperty('silent');
  // nobody was told in between, so nobody hears of it at all
  expect(world.heard(bottle, 'bottle_silent')).toEqual([]);
});

it('speaking again ends the alert, and a second silence is a second alert', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  await world.live(61);
  await world.heartbeat(bottle);
  await world.live(61);
  expect((await world.alerts(bottle)).map(({ state }) => state as string).sort()).toEqual([
    'open',
    'resolved',
  ]);
  expect(world.heard(bottle, 'bottle_silent')).toEqual(['raised', 'resolved', 'raised']);
});
