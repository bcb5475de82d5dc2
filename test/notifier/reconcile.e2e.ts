import { mongo } from 'mongoose';
import type { TestBottle } from '../../tools/harness/services.js';
import { HOUR, MINUTE, World } from './world.js';

let world: World;

beforeAll(async () => {
  world = await World.start('reconcile');
});
afterAll(() => world?.stop());

beforeEach(async () => {
  await world.begin();
  for (const name of ['bottles', 'bottle_states', 'alerts', 'reconcile_rounds'])
    await world.database.db.collection(name).deleteMany({});
});

const SCHEDULE = { kind: 'times_of_day', times: ['08:00'], time_zone: 'UTC', late_after: '30m' };
const id = (bottle: TestBottle): mongo.ObjectId => new mongo.ObjectId(bottle.id);

/** A report that device-api logged before it was killed: the state does not know of it. */
async function logOnly(bottle: TestBottle, collection: string, document: object): Promise<void> {
  await world.database.db
    .collection(collection)
    .insertOne({ bottle_id: id(bottle), user_id: 'willcross1024', medication: 'Cordrazine', ...document });
}

function action(name: 'opened' | 'closed', time: Date, pillsTaken?: number): object {
  const taken = pillsTaken === undefined ? {} : { pills_taken: pillsTaken };
  return { action: name, time, received_at: time, mass_of_contents: 30, number_of_pills: 19, ...taken };
}

it('finds nothing to repair in a healthy system', async () => {
  const [fresh, heard, open, closed, daily] = [
    await world.register(),
    await world.register(),
    await world.register(),
    await world.register(),
    await world.register({ schedule: SCHEDULE }),
  ];
  await world.heartbeat(heard, daily);
  await world.action(open, 'opened');
  await world.action(closed, 'opened');
  await world.pass(MINUTE);
  await world.action(closed, 'closed', { pills_taken: 2 });
  await world.action(daily, 'closed', { pills_taken: 1 });
  const late = { action: 'closed', time: new Date(world.clock.now().getTime() - 5 * MINUTE).toISOString() };
  await world.backlog(closed, [
    { type: 'action', ...late, pills_taken: 1, mass_of_contents: 30, number_of_pills: 20 },
  ]);
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 0 });
  await world.live(3);
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 0 });
  await world.pass(2 * HOUR);
  await world.notifier.runAll();
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 0 });
  expect(await world.state(fresh)).toMatchObject({ quiet: 'never_heard' });
});

it('learns of a newer heartbeat', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  await world.pass(30 * MINUTE);
  const time = world.clock.now();
  await logOnly(bottle, 'bottle_heartbeats', { time });
  await world.pass(MINUTE);
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
  expect(await world.state(bottle)).toMatchObject({
    last_heard_at: time,
    silent_at: new Date(time.getTime() + HOUR),
  });
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 0 });
});

it.each([
  ['a minute', MINUTE],
  ['a month', 30 * 24 * HOUR],
])('learns of an action that it missed %s ago', async (_, ago) => {
  const bottle = await world.register();
  await world.action(bottle, 'opened');
  await world.pass(MINUTE);
  const time = world.clock.now();
  await logOnly(bottle, 'bottle_actions', action('closed', time, 0));
  await world.pass(ago);
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
  const state = await world.state(bottle);
  expect(state).toMatchObject({ last_action: { action: 'closed', time } });
  expect(state).not.toHaveProperty('open');
  expect(state).not.toHaveProperty('open_overdue_at');
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 0 });
});

it('puts a removal that nobody judged up for judgement', async () => {
  const bottle = await world.register({ schedule: SCHEDULE });
  await world.live(120, () => world.heartbeat(bottle));
  await logOnly(bottle, 'bottle_actions', action('closed', world.clock.now(), 1));
  await world.pass(MINUTE);
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
  await world.notifier.runAll();
  const outcome = await world.database.db.collection('dose_outcomes').findOne({ bottle_id: id(bottle) });
  expect(outcome).toMatchObject({ outcome: 'taken_on_time' });
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 0 });
});

it('makes a state that is missing, from the log', async () => {
  const bottle = await world.register({ schedule: SCHEDULE });
  await world.heartbeat(bottle);
  await world.action(bottle, 'opened');
  await world.database.db.collection('bottle_states').deleteOne({ _id: id(bottle) });
  await world.pass(MINUTE);
  expect(await world.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
  expect(await world.state(bottle)).toMatchObject({
    user_id: 'willcross1024',
    open: true,
    last_heard_at: expect.any(Date),
    silent_at: expect.any(Date),
    open_overdue_at: expect.any(Date),
    dose_due_at: expect.any(Date),
  });
});

it('ends an alert that the state does not know of, unless a notifier has it in hand', async () => {
  const bottle = await world.register();
  await world.heartbeat(bottle);
  await world.pass(HOUR);
  await world.notifier.runAll();
  const claim = { token: 'of a notifier', until: new Date(world.clock.now().getTime() + 6 * MINUTE) };
  await world.setState(bottle, { $unset: { silent: '', silent_since: '' }, $set: { silent_claim: claim } });
  await world.pass(5 * MINUTE);
  await world.notifier.reconcile.run();
  expect(await world.alerts(bottle)).toMatchObject([{ state: 'open' }]);
  await world.pass(5 * MINUTE);
  await world.notifier.reconcile.run();
  await world.notifier.runAll();
  expect(await world.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
  expect(world.heard(bottle, 'bottle_silent')).toEqual(['raised', 'resolved']);
});

describe('a round', () => {
  const rounds = () => world.database.db.collection('reconcile_rounds');

  /** Bottles, of which the first `behind` have states that are behind the log. */
  async function lagging(count: number, behind = count): Promise<void> {
    const time = world.clock.now();
    const ids = Array.from({ length: count }, () => new mongo.ObjectId());
    const owner = { user_id: 'willcross1024', medication: 'Cordrazine' };
    const { db } = world.database;
    await db.collection('bottles').insertMany(
      ids.map((_id) => ({
        _id,
        ...owner,
        time_zone: 'UTC',
        token_hash: _id.toHexString(),
        revoked_token_hashes: [],
        schedule_versions: [],
        pauses: [],
      })),
    );
    await db
      .collection<{ _id: mongo.ObjectId }>('bottle_states')
      .insertMany(ids.map((_id) => ({ _id, ...owner, quiet: 'never_heard' })));
    await db
      .collection('bottle_heartbeats')
      .insertMany(ids.slice(0, behind).map((bottle_id) => ({ bottle_id, ...owner, time })));
    await world.pass(MINUTE);
  }

  const behind = (): Promise<number> =>
    world.database.db.collection('bottle_states').countDocuments({ last_heard_at: { $exists: false } });

  it('goes on where a notifier stopped', async () => {
    await lagging(500);
    let pages = 0;
    const first = await world.notifier.reconcile.run(() => (pages += 1) > 3);
    expect(first.bottles).toBeLessThan(500);
    expect(await behind()).toBe(500 - first.bottles);
    expect(await rounds().countDocuments({ under_way: true })).toBe(1);
    const second = await world.notifier.reconcile.resume();
    expect(first.bottles + second.bottles).toBe(500);
    expect(first.repaired + second.repaired).toBe(500);
    expect(await behind()).toBe(0);
    expect(await rounds().countDocuments({ under_way: true })).toBe(0);
  });

  it('is gone on with when the lease of a killed notifier has run out, and not before', async () => {
    await lagging(5);
    const until = new Date(world.clock.now().getTime() + MINUTE);
    const claim = { token: 'of a killed notifier', until };
    await rounds().insertOne({
      began_at: world.clock.now(),
      under_way: true,
      pieces: [{ claim }],
      bottles: 0,
      repaired: 0,
    });
    expect(await world.notifier.reconcile.run()).toEqual({ bottles: 0, repaired: 0 });
    await world.pass(MINUTE);
    expect(await world.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 5 });
    expect(await behind()).toBe(0);
  });

  it('is divided among notifiers: each bottle is compared once', async () => {
    await lagging(10_000, 300);
    const fast = { RECONCILE_RATE: '100000' };
    const notifiers = [await world.addNotifier(fast), await world.addNotifier(fast)];
    const [one, two] = await Promise.all(notifiers.map(({ reconcile }) => reconcile.run()));
    expect(one!.bottles + two!.bottles).toBe(10_000);
    expect(one!.repaired + two!.repaired).toBe(300);
    expect(one!.bottles).toBeGreaterThan(0);
    expect(two!.bottles).toBeGreaterThan(0);
    expect(await rounds().findOne({})).toMatchObject({ bottles: 10_000, repaired: 300 });
  });

  it('goes no faster than the operator wants', async () => {
    await lagging(400);
    const start = performance.now();
    // two pages of 200: one pause at 1,000 a second
    await world.notifier.reconcile.run();
    expect(performance.now() - start).toBeGreaterThanOrEqual(199);
  });
});
