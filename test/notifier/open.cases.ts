import { MINUTE_MS, HOUR_MS } from '#domain';
import { mongo } from 'mongoose';
import { AlertsRepository } from '#persistence';
import { ManualClock } from '#platform';
import type { TestBottle } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

describe('open', () => {
  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('open');
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  const OVERDUE = 5 * MINUTE_MS;

  it('is overdue at its deadline, not before, and once', async () => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    await harness.pass(OVERDUE - 1);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    await harness.pass(1);
    await harness.notifier.runAll();
    await harness.notifier.runAll();
    await harness.pass(10 * MINUTE_MS);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_open', state: 'open' }]);
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
    expect(harness.receiver.requests).toHaveLength(1);
  });

  it('of a bottle that nobody uses raises no alert', async () => {
    const bottle = await harness.register();
    await harness.setState(bottle, { $set: { life: 'stored' } });
    await harness.action(bottle, 'opened');
    await harness.pass(OVERDUE);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
  });

  it('two notifiers at once raise and deliver each once', async () => {
    const bottles = await harness.registerMany(20);
    const other = await harness.addNotifier();
    await Promise.all(bottles.map((bottle) => harness.action(bottle, 'opened')));
    await harness.pass(OVERDUE);
    await Promise.all([harness.notifier.open.run(), other.open.run()]);
    await Promise.all([harness.notifier.runAll(), other.runAll()]);
    for (const bottle of bottles) {
      expect(await harness.alerts(bottle)).toHaveLength(1);
      expect(await harness.state(bottle)).toMatchObject({ open_alerted: true, open_unchanged: true });
    }
    expect(harness.receiver.requests.filter(({ data }) => data.kind === 'bottle_open')).toHaveLength(20);
  });

  it('quarantines a bad record and continues with the good ones', async () => {
    const [first, bad, last] = await harness.registerMany(3);
    for (const bottle of [first!, bad!, last!]) await harness.action(bottle, 'opened');
    await harness.setState(bad!, { $set: { 'last_action.time': 'never a date' } });
    await harness.pass(OVERDUE);
    expect(await harness.notifier.open.run()).toMatchObject({ failed: 1 });
    for (const good of [first!, last!]) expect(await harness.alerts(good)).toHaveLength(1);
    expect(await harness.alerts(bad!)).toEqual([]);
    expect(await harness.state(bad!)).toMatchObject({ set_aside: { check: 'OpenBottlesCheck' } });
    expect(await harness.notifier.open.run()).toMatchObject({ checked: 0, failed: 0 });
  });

  it('a state that lagged behind the log raises no false alarm', async () => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    const { user_id, medication } = await harness.state(bottle);
    const time = new Date(harness.clock.now().getTime() + MINUTE_MS);
    await harness.database.db.collection('bottle_actions').insertOne({
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
    await harness.pass(OVERDUE);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
    expect(await harness.state(bottle)).toMatchObject({ last_action: { action: 'closed', time } });
    expect(await harness.state(bottle)).not.toHaveProperty('open');
  });

  it('a closing that races the check leaves no alarm behind', async () => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    await harness.pass(OVERDUE);
    await harness.pass(1_000);
    await harness.betweenClaimAndAlert(() => harness.action(bottle, 'closed'), harness.notifier.open);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
    expect(await harness.state(bottle)).not.toHaveProperty('open_alerted');
    expect(harness.received(bottle, 'bottle_open')).toEqual([]);
  });

  it('a closing that arrives late takes the open alert back', async () => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    const closed = new Date(harness.clock.now().getTime() + 3 * MINUTE_MS).toISOString();
    await harness.live(10);
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
    const action = {
      action: 'closed',
      time: closed,
      mass_of_contents: 30,
      number_of_pills: 20,
      pills_taken: 0,
    };
    await harness.backlog(bottle, [{ type: 'action', ...action }]);
    await harness.live(1);
    expect(await harness.alerts(bottle)).toMatchObject([{ state: 'retracted' }]);
    expect(harness.received(bottle, 'bottle_open')).toEqual(['raised', 'retracted']);
  });

  it('a closing that was lost, as the count says, ends the alert, or raises none', async () => {
    const [lost, still, early, late] = await harness.registerMany(4);
    const count = (bottle: TestBottle, number_of_pills: number) =>
      bottle.post('/v1/heartbeats', { number_of_pills }).expect(204);
    const openedAt = harness.clock.now().toISOString();
    for (const bottle of [lost!, still!, early!]) await harness.action(bottle, 'opened');
    await harness.pass(OVERDUE - 1);
    // the bottle may still be open
    await count(early!, 19);
    await harness.pass(1);
    await harness.notifier.runAll();
    await count(lost!, 19);
    await count(still!, 20);
    await harness.live(31);
    const contents = { mass_of_contents: 30, number_of_pills: 20 };
    await harness.backlog(late!, [{ type: 'action', action: 'opened', time: openedAt, ...contents }]);
    await count(late!, 19);
    await harness.live(10);
    expect(harness.received(lost!, 'bottle_open')).toEqual(['raised', 'resolved']);
    expect(await harness.alerts(lost!)).toMatchObject([{ evidence: { unreported_pills: 1 } }]);
    expect(await harness.state(lost!)).not.toHaveProperty('open');
    expect(harness.received(still!, 'bottle_open')).toEqual(['raised']);
    expect(harness.received(early!, 'bottle_open')).toEqual(['raised']);
    expect(harness.received(late!, 'bottle_open')).toEqual([]);
  });

  it('an opening that arrives in a backlog waits for the closing that comes with it', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    const at = (minutes: number): string =>
      new Date(harness.clock.now().getTime() + minutes * MINUTE_MS).toISOString();
    const contents = { mass_of_contents: 30, number_of_pills: 20 };
    const [opened, closed] = [at(1), at(2)];
    await harness.pass(30 * MINUTE_MS);
    await harness.backlog(bottle, [{ type: 'action', action: 'opened', time: opened, ...contents }]);
    await harness.live(1);
    await harness.backlog(bottle, [
      { type: 'action', action: 'closed', time: closed, pills_taken: 0, ...contents },
    ]);
    await harness.live(5);
    expect(await harness.alerts(bottle)).toEqual([]);
  });

  it('two alerts of the kind never stand at once', async () => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    await harness.live(6);
    await harness.action(bottle, 'closed');
    await harness.pass(1_000);
    await harness.action(bottle, 'opened');
    await harness.pass(OVERDUE);
    await harness.notifier.runAll();
    expect((await harness.alerts(bottle)).map(({ state }) => state as string).sort()).toEqual([
      'open',
      'resolved',
    ]);
    expect(harness.received(bottle, 'bottle_open').sort()).toEqual(['raised', 'raised', 'resolved']);
    // whatever a check might do wrong, the database holds it
    const open = (await harness.alerts(bottle)).find(({ state }) => state === 'open')!;
    const second = { ...open, _id: new mongo.ObjectId() };
    const repository = harness.notifier.app.get(AlertsRepository);
    expect(await repository.raise([second as never])).toEqual([]);
    // nor is one recorded without its notification
    const [queued] = await harness.deliveries(bottle);
    const elsewhere = { ...second, subject: 'another' };
    expect(await repository.raiseNotifying([elsewhere as never], [queued as never])).toBe(false);
    expect((await harness.alerts(bottle)).filter((alert) => alert['open'] === true)).toHaveLength(1);
  });

  /** Lets time pass in steps of ten seconds; the check runs after each. */
  async function watch(seconds: number, checks = [harness.notifier.open]): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 10) {
      await harness.pass(10_000);
      for (const check of checks) await check.run();
    }
  }

  it('short outages of ours delay the alert by the grace at most, however often they come', async () => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    for (let outages = 0; outages < 4; outages += 1) {
      await watch(70);
      await harness.outage(30_000);
    }
    expect(await harness.alerts(bottle)).toEqual([]);
    await harness.heartbeat(bottle);
    // 400 s after the opening; the last outage before the deadline ended 20 s before it
    for (let outages = 0; outages < 2; outages += 1) {
      await harness.pass(0);
      await harness.outage(30_000);
      await watch(60);
    }
    expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_open', state: 'open' }]);
  });

  describe('a notifier whose clock is off', () => {
    it.each([-180, -20, 20, 30, 180])('by %d s hides no open bottle from another', async (seconds) => {
      const ahead = new ManualClock(harness.clock.now());
      const other = await harness.addNotifier({}, ahead);
      const bottle = await harness.register();
      await harness.action(bottle, 'opened');
      const wrong = {
        run: () => {
          ahead.set(new Date(harness.clock.now().getTime() + seconds * 1_000));
          return other.open.run();
        },
      } as typeof other.open;
      await watch(OVERDUE / 1_000 - 30, [wrong, harness.notifier.open]);
      expect(await harness.alerts(bottle)).toEqual([]);
      await watch(30, [wrong, harness.notifier.open]);
      expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_open', state: 'open' }]);
    });
  });

  describe('a lid that may be open for 5 s', () => {
    let quick: NotifierHarness;

    beforeAll(async () => {
      quick = await NotifierHarness.start('open-quick', { OPEN_BOTTLE_AFTER: '5s' });
    });
    afterAll(() => quick?.stop());

    it('raises its alert at once, though device-api has only just been started', async () => {
      const bottle = await quick.register();
      await quick.pass(1_000);
      await quick.action(bottle, 'opened');
      await quick.pass(5_000);
      await quick.notifier.runAll();
      expect(quick.received(bottle, 'bottle_open')).toEqual(['raised']);
    });

    it('raises it after as long as its report was late, not after the whole grace', async () => {
      const bottle = await quick.register();
      await quick.pass(10_000);
      await quick.action(bottle, 'opened', { time: new Date(quick.clock.now().getTime() - 6_000) });
      await quick.pass(5_999);
      await quick.notifier.runAll();
      expect(await quick.alerts(bottle)).toEqual([]);
      await quick.pass(1);
      await quick.notifier.runAll();
      expect(quick.received(bottle, 'bottle_open')).toEqual(['raised']);
    });
  });

  describe('a silent bottle', () => {
    let slow: NotifierHarness;

    beforeAll(async () => {
      slow = await NotifierHarness.start('open-silent', { OPEN_BOTTLE_AFTER: '90m' });
    });
    afterAll(() => slow?.stop());

    it('is only last known open, and checked again after it reports', async () => {
      const bottle = await slow.register();
      await slow.action(bottle, 'opened');
      await slow.pass(HOUR_MS);
      await slow.notifier.runAll();
      expect(slow.received(bottle, 'bottle_silent')).toEqual(['raised']);
      await slow.pass(HOUR_MS);
      await slow.notifier.runAll();
      expect(await slow.alerts(bottle, 'bottle_open')).toEqual([]);
      expect(await slow.state(bottle)).toMatchObject({ open_inhibited: true });

      await slow.heartbeat(bottle);
      await slow.live(1);
      expect(await slow.alerts(bottle, 'bottle_open')).toEqual([]);
      await slow.live(1);
      expect(slow.received(bottle, 'bottle_open')).toEqual(['raised']);
    });

    it('that was closed meanwhile raises nothing when its backlog arrives', async () => {
      const bottle = await slow.register();
      await slow.action(bottle, 'opened');
      const closed = new Date(slow.clock.now().getTime() + MINUTE_MS).toISOString();
      await slow.pass(2 * HOUR_MS);
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
});
