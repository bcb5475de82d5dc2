import { mongo } from 'mongoose';
import { AlertsRepository } from '#persistence';
import { HOUR, MINUTE, World } from './world.js';

let world: World;

beforeAll(async () => {
  world = await World.start('open');
});
afterAll(() => world?.stop());

beforeEach(() => world.begin());

const OVERDUE = 5 * MINUTE;

it('stands open too long at its deadline, not before, and once', async () => {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  await world.pass(OVERDUE - 1);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toEqual([]);
  await world.pass(1);
  await world.notifier.runAll();
  await world.notifier.runAll();
  await world.pass(10 * MINUTE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toMatchObject([{ kind: 'bottle_open', state: 'open' }]);
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
  expect(world.receiver.requests).toHaveLength(1);
});

it('two notifiers at once raise and deliver each once', async () => {
  const bottles = await world.registerMany(40);
  const other = await world.addNotifier();
  await Promise.all(bottles.map((bottle) => world.action(bottle, 'opened')));
  await world.pass(OVERDUE);
  await Promise.all([world.notifier.open.run(), other.open.run()]);
  await Promise.all([world.notifier.runAll(), other.runAll()]);
  for (const bottle of bottles) {
    expect(await world.alerts(bottle)).toHaveLength(1);
    expect(await world.state(bottle)).toMatchObject({ open_alerted: true, open_unchanged: true });
  }
  expect(world.receiver.requests.filter(({ data }) => data.kind === 'bottle_open')).toHaveLength(40);
});

it('sets a bad record aside and goes on with the good ones', async () => {
  const [first, bad, last] = await world.registerMany(3);
  for (const bottle of [first!, bad!, last!]) await world.action(bottle, 'opened');
  await world.setState(bad!, { $set: { 'last_action.time': 'never a date' } });
  await world.pass(OVERDUE);
  expect(await world.notifier.open.run()).toMatchObject({ failed: 1 });
  for (const good of [first!, last!]) expect(await world.alerts(good)).toHaveLength(1);
  expect(await world.alerts(bad!)).toEqual([]);
  expect(await world.state(bad!)).toMatchObject({ set_aside: { check: 'OpenBottlesCheck' } });
  expect(await world.notifier.open.run()).toMatchObject({ checked: 0, failed: 0 });
});

it('a state that lagged behind the log raises no false alarm', async () => {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  const { user_id, medication } = await world.state(bottle);
  const time = new Date(world.clock.now().getTime() + MINUTE);
  await world.database.db.collection('bottle_actions').insertOne({
    bottle_id: new mongo.ObjectId(bottle.id),
    user_id,
    medication,
    time,
    received_at: time,
    action: 'closed',
    pills_taken: 0,
    mass_of_contents: 30,
    number_of_pills: 20,
  });
  await world.pass(OVERDUE);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toEqual([]);
  expect(await world.state(bottle)).toMatchObject({ last_action: { action: 'closed', time } });
  expect(await world.state(bottle)).not.toHaveProperty('open');
});

it('a closing that races the check leaves no alarm behind', async () => {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  await world.pass(OVERDUE);
  await world.pass(1_000);
  await world.betweenClaimAndAlert(() => world.action(bottle, 'closed'), world.notifier.open);
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
  expect(await world.state(bottle)).not.toHaveProperty('open_alerted');
  expect(world.heard(bottle, 'bottle_open')).toEqual([]);
});

it('a closing that arrives late takes the open alert back', async () => {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  const closed = new Date(world.clock.now().getTime() + 3 * MINUTE).toISOString();
  await world.live(10);
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised']);
  const action = {
    action: 'closed',
    time: closed,
    mass_of_contents: 30,
    number_of_pills: 20,
    pills_taken: 0,
  };
  await world.backlog(bottle, [{ type: 'action', ...action }]);
  await world.live(1);
  expect(await world.alerts(bottle)).toMatchObject([{ state: 'retracted' }]);
  expect(world.heard(bottle, 'bottle_open')).toEqual(['raised', 'retracted']);
});

it('an opening that arrives in a backlog waits for the closing that comes with it', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  const at = (minutes: number): string =>
    new Date(world.clock.now().getTime() + minutes * MINUTE).toISOString();
  const contents = { mass_of_contents: 30, number_of_pills: 20 };
  const [opened, closed] = [at(1), at(2)];
  await world.pass(30 * MINUTE);
  await world.backlog(bottle, [{ type: 'action', action: 'opened', time: opened, ...contents }]);
  await world.live(1);
  await world.backlog(bottle, [
    { type: 'action', action: 'closed', time: closed, pills_taken: 0, ...contents },
  ]);
  await world.live(5);
  expect(await world.alerts(bottle)).toEqual([]);
});

it('two alerts of the kind never stand at once', async () => {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  await world.live(6);
  await world.action(bottle, 'closed');
  await world.pass(1_000);
  await world.action(bottle, 'opened');
  await world.pass(OVERDUE);
  await world.notifier.runAll();
  expect((await world.alerts(bottle)).map(({ state }) => state as string).sort()).toEqual([
    'open',
    'resolved',
  ]);
  expect(world.heard(bottle, 'bottle_open').sort()).toEqual(['raised', 'raised', 'resolved']);
  // whatever a check might do wrong, the database holds it
  const open = (await world.alerts(bottle)).find(({ state }) => state === 'open')!;
  const second = { ...open, _id: new mongo.ObjectId() };
  const repository = world.notifier.app.get(AlertsRepository);
  expect(await repository.raise([second as never])).toEqual([]);
  expect((await world.alerts(bottle)).filter((alert) => alert['open'] === true)).toHaveLength(1);
});

describe('a silent bottle', () => {
  let slow: World;

  beforeAll(async () => {
    slow = await World.start('open-silent', { OPEN_BOTTLE_AFTER: '90m' });
  });
  afterAll(() => slow?.stop());

  it('is only last known open, and looked at again after it spoke', async () => {
    const bottle = await slow.register();
    await slow.action(bottle, 'opened');
    await slow.pass(HOUR);
    await slow.notifier.runAll();
    expect(slow.heard(bottle, 'bottle_silent')).toEqual(['raised']);
    await slow.pass(HOUR);
    await slow.notifier.runAll();
    expect(await slow.alerts(bottle, 'bottle_open')).toEqual([]);
    expect(await slow.state(bottle)).toMatchObject({ open_inhibited: true });

    await slow.heartbeat(bottle);
    await slow.live(1);
    expect(await slow.alerts(bottle, 'bottle_open')).toEqual([]);
    await slow.live(1);
    expect(slow.heard(bottle, 'bottle_open')).toEqual(['raised']);
  });

  it('that was closed meanwhile raises nothing when its backlog arrives', async () => {
    const bottle = await slow.register();
    await slow.action(bottle, 'opened');
    const closed = new Date(slow.clock.now().getTime() + MINUTE).toISOString();
    await slow.pass(2 * HOUR);
    await slow.notifier.runAll();
    await slow.heartbeat(bottle);
    await slow.live(1);
    const action = {
      action: 'closed',
      time: closed,
      mass_of_contents: 30,
      number_of_pills: 20,
      pills_taken: 0,
    };
    await slow.backlog(bottle, [{ type: 'action', ...action }]);
    await slow.live(5);
    expect(await slow.alerts(bottle, 'bottle_open')).toEqual([]);
  });
});
