import { MINUTE_MS, HOUR_MS } from '#domain';
import { BottleHeartbeat } from '#persistence';
import { getModelToken } from '@nestjs/mongoose';
import { type Model, mongo } from 'mongoose';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { NextDoses } from '../../apps/notifier/src/doses/next-doses.js';
import { NotifierHarness } from './notifier-harness.js';

describe('reconcile', () => {
  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('reconcile');
  });
  afterAll(() => harness?.stop());

  beforeEach(async () => {
    await harness.begin();
    for (const name of ['bottles', 'bottle_states', 'alerts', 'reconcile_rounds'])
      await harness.database.db.collection(name).deleteMany({});
  });

  const SCHEDULE = { kind: 'times_of_day', times: ['08:00'], time_zone: 'UTC', late_after: '30m' };
  const id = (bottle: TestBottle): mongo.ObjectId => new mongo.ObjectId(bottle.id);

  /** A report that device-api logged before it was killed: the state does not know of it. */
  async function logOnly(bottle: TestBottle, collection: string, document: object): Promise<void> {
    await harness.database.db
      .collection(collection)
      .insertOne({ bottle_id: id(bottle), user_id: 'willcross1024', medication: 'Cordrazine', ...document });
  }

  function action(name: 'opened' | 'closed', time: Date, pillsTaken?: number): object {
    const taken = pillsTaken === undefined ? {} : { pills_taken: pillsTaken };
    return { action: name, time, received_at: time, mass_of_contents: 30, number_of_pills: 19, ...taken };
  }

  it('finds nothing to repair in a healthy system', async () => {
    const [fresh, reported, open, closed, daily] = [
      await harness.register(),
      await harness.register(),
      await harness.register(),
      await harness.register(),
      await harness.register({ schedule: SCHEDULE }),
    ];
    await harness.heartbeat(reported, daily);
    await harness.action(open, 'opened');
    await harness.action(closed, 'opened');
    await harness.pass(MINUTE_MS);
    await harness.action(closed, 'closed', { pills_taken: 2 });
    await harness.action(daily, 'closed', { pills_taken: 1 });
    const late = {
      action: 'closed',
      time: new Date(harness.clock.now().getTime() - 5 * MINUTE_MS).toISOString(),
    };
    await harness.backlog(closed, [
      { type: 'action', ...late, pills_taken: 1, mass_of_contents: 30, number_of_pills: 20 },
    ]);
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 0 });
    await harness.live(3);
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 0 });
    await harness.pass(2 * HOUR_MS);
    await harness.notifier.runAll();
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 0 });
    expect(await harness.state(fresh)).toMatchObject({ quiet: 'never_heard' });
  });

  it('keeps the next dose and the battery by which lists are ordered, and repairs nothing by that', async () => {
    const next = () => harness.notifier.app.get(NextDoses).run();
    const [daily, none] = [await harness.register({ schedule: SCHEDULE }), await harness.register()];
    await next();
    const [now, first] = [harness.clock.now(), (await harness.state(daily))['next_dose_at'] as Date];
    expect(first.getTime()).toBeGreaterThan(now.getTime());
    expect(first.getTime()).toBeLessThanOrEqual(now.getTime() + 24 * HOUR_MS);
    expect(first.toISOString()).toMatch(/T08:00:00.000Z$/);
    expect(await harness.state(none)).not.toHaveProperty('next_dose_at');
    // run twice, and by two at once, before and at the dose
    await Promise.all([next(), next()]);
    expect(await harness.state(daily)).toMatchObject({ next_dose_at: first });
    await harness.pass(first.getTime() - now.getTime());
    await Promise.all([next(), next()]);
    const second = new Date(first.getTime() + 24 * HOUR_MS);
    expect(await harness.state(daily)).toMatchObject({ next_dose_at: second });

    // of a bottle from before; and of one with a schedule that cannot be read, which holds up nobody
    const states = harness.database.db.collection('bottle_states');
    await states.updateOne({ _id: id(daily) }, { $unset: { next_dose_at: '' } });
    await states.updateOne({ _id: id(none) }, { $set: { next_dose_at: now, judged_until: now } });
    await harness.database.db
      .collection('bottles')
      .updateOne({ _id: id(none) }, { $set: { schedule_versions: [{ schedule: { kind: 'broken' } }] } });
    await daily.post('/v1/heartbeats', { battery_percent: 41.6 }).expect(204);
    await harness.pass(MINUTE_MS);
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 2, repaired: 0 });
    await next();
    expect(await harness.state(daily)).toMatchObject({ next_dose_at: second, battery_percent: 42 });
    expect(await harness.state(none)).not.toHaveProperty('next_dose_at');
  });

  it('notes when a bottle first reported, while the log has it', async () => {
    const [bottle, never] = [await harness.register(), await harness.register()];
    await harness.pass(30 * HOUR_MS);
    await harness.heartbeat(bottle);
    const first = harness.clock.now();
    await harness.pass(HOUR_MS);
    await harness.heartbeat(bottle);
    await harness.notifier.reconcile.run();
    await harness.pass(MINUTE_MS);
    await harness.notifier.reconcile.run();
    expect(await harness.state(bottle)).toMatchObject({ first_heard_at: first });
    expect(await harness.state(never)).not.toHaveProperty('first_heard_at');
  });

  it('reads the newest heartbeats and the first contacts of a page once, for all of its bottles', async () => {
    const bottles = await harness.registerMany(3);
    await harness.heartbeat(...bottles);
    const first = harness.clock.now();
    await harness.pass(MINUTE_MS);
    await bottles[0]!.post('/v1/heartbeats', { battery_percent: 17 }).expect(204);
    await harness.pass(MINUTE_MS);
    const { collection } = harness.notifier.app.get<Model<unknown>>(getModelToken(BottleHeartbeat.name));
    const aggregate = collection.aggregate.bind(collection);
    const findOne = collection.findOne.bind(collection);
    const reads: string[] = [];
    Object.assign(collection, {
      aggregate: (...asked: Parameters<typeof aggregate>) => reads.push('aggregate') && aggregate(...asked),
      findOne: (...asked: Parameters<typeof findOne>) => reads.push('findOne') && findOne(...asked),
    });
    await harness.notifier.reconcile.run();
    Object.assign(collection, { aggregate, findOne });
    expect(reads).toEqual(['aggregate', 'aggregate']);
    expect(await harness.state(bottles[0]!)).toMatchObject({ first_heard_at: first, battery_percent: 17 });
    expect(await harness.state(bottles[2]!)).toMatchObject({ first_heard_at: first });
  });

  it('a pause or another schedule moves the next dose', async () => {
    const bottle = await harness.register({ schedule: SCHEDULE });
    const next = async (): Promise<unknown> => {
      await harness.notifier.app.get(NextDoses).run();
      return (await harness.state(bottle))['next_dose_at'];
    };
    const first = (await next()) as Date;
    await asAdmin(harness.support)
      .post(`/v1/bottles/${bottle.id}/pauses`)
      .send({ from: harness.clock.now(), to: new Date(first.getTime() + 48 * HOUR_MS + MINUTE_MS) })
      .expect(201);
    expect(await next()).toEqual(new Date(first.getTime() + 72 * HOUR_MS));
  });

  it('learns of a newer heartbeat', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    await harness.pass(30 * MINUTE_MS);
    const time = harness.clock.now();
    await logOnly(bottle, 'bottle_heartbeats', { time });
    await harness.pass(MINUTE_MS);
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
    expect(await harness.state(bottle)).toMatchObject({
      last_heard_at: time,
      silent_at: new Date(time.getTime() + HOUR_MS),
    });
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 0 });
  });

  it.each([
    ['a minute', MINUTE_MS],
    ['a month', 30 * 24 * HOUR_MS],
  ])('learns of an action that it missed %s ago', async (_, ago) => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    await harness.pass(MINUTE_MS);
    const time = harness.clock.now();
    await logOnly(bottle, 'bottle_actions', action('closed', time, 0));
    await harness.pass(ago);
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
    const state = await harness.state(bottle);
    expect(state).toMatchObject({ last_action: { action: 'closed', time } });
    expect(state).not.toHaveProperty('open');
    expect(state).not.toHaveProperty('open_overdue_at');
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 0 });
  });

  it('puts a removal that nobody judged up for judgement', async () => {
    const bottle = await harness.register({ schedule: SCHEDULE });
    await harness.report(120, bottle);
    await logOnly(bottle, 'bottle_actions', action('closed', harness.clock.now(), 1));
    await harness.pass(MINUTE_MS);
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
    await harness.notifier.runAll();
    const outcome = await harness.database.db.collection('dose_outcomes').findOne({ bottle_id: id(bottle) });
    expect(outcome).toMatchObject({ outcome: 'taken_on_time' });
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 0 });
  });

  it('makes a state that is missing, from the log', async () => {
    const bottle = await harness.register({ schedule: SCHEDULE });
    await harness.heartbeat(bottle);
    await harness.action(bottle, 'opened');
    await harness.database.db.collection('bottle_states').deleteOne({ _id: id(bottle) });
    await harness.pass(MINUTE_MS);
    expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 1, repaired: 1 });
    expect(await harness.state(bottle)).toMatchObject({
      user_id: 'willcross1024',
      open: true,
      last_heard_at: expect.any(Date),
      silent_at: expect.any(Date),
      open_overdue_at: expect.any(Date),
      dose_due_at: expect.any(Date),
    });
  });

  it('ends an alert that the state does not know of, unless a notifier has claimed it', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    await harness.pass(HOUR_MS);
    await harness.notifier.runAll();
    const claim = { token: 'of a notifier', until: new Date(harness.clock.now().getTime() + 6 * MINUTE_MS) };
    await harness.setState(bottle, {
      $unset: { silent: '', silent_since: '' },
      $set: { silent_claim: claim },
    });
    await harness.pass(5 * MINUTE_MS);
    await harness.notifier.reconcile.run();
    expect(await harness.alerts(bottle)).toMatchObject([{ state: 'open' }]);
    await harness.pass(5 * MINUTE_MS);
    await harness.notifier.reconcile.run();
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
    expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised', 'resolved']);
  });

  describe('a run', () => {
    const runs = () => harness.database.db.collection('reconcile_rounds');

    /** Bottles, of which the first `behind` have states that are behind the log. */
    async function lagging(count: number, behind = count): Promise<void> {
      const time = harness.clock.now();
      const ids = Array.from({ length: count }, () => new mongo.ObjectId());
      const owner = { user_id: 'willcross1024', medication: 'Cordrazine' };
      const { db } = harness.database;
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
      await harness.pass(MINUTE_MS);
    }

    const behind = (): Promise<number> =>
      harness.database.db.collection('bottle_states').countDocuments({ last_heard_at: { $exists: false } });

    it('goes on where a notifier stopped', async () => {
      await lagging(500);
      let pages = 0;
      const first = await harness.notifier.reconcile.run(() => (pages += 1) > 3);
      expect(first.bottles).toBeLessThan(500);
      expect(await behind()).toBe(500 - first.bottles);
      expect(await runs().countDocuments({ under_way: true })).toBe(1);
      const second = await harness.notifier.reconcile.resume();
      expect(first.bottles + second.bottles).toBe(500);
      expect(first.repaired + second.repaired).toBe(500);
      expect(await behind()).toBe(0);
      expect(await runs().countDocuments({ under_way: true })).toBe(0);
    });

    it('is taken over when the lease of a killed notifier has expired, and not before', async () => {
      await lagging(5);
      const until = new Date(harness.clock.now().getTime() + MINUTE_MS);
      const claim = { token: 'of a killed notifier', until };
      await runs().insertOne({
        began_at: harness.clock.now(),
        under_way: true,
        pieces: [{ claim }],
        bottles: 0,
        repaired: 0,
      });
      expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 0, repaired: 0 });
      await harness.pass(MINUTE_MS);
      expect(await harness.notifier.reconcile.run()).toEqual({ bottles: 5, repaired: 5 });
      expect(await behind()).toBe(0);
    });

    it('is divided among notifiers: each bottle is compared once', async () => {
      await lagging(10_000, 300);
      const fast = { RECONCILE_RATE: '100000' };
      const notifiers = [await harness.addNotifier(fast), await harness.addNotifier(fast)];
      const [one, two] = await Promise.all(notifiers.map(({ reconcile }) => reconcile.run()));
      expect(one!.bottles + two!.bottles).toBe(10_000);
      expect(one!.repaired + two!.repaired).toBe(300);
      expect(one!.bottles).toBeGreaterThan(0);
      expect(two!.bottles).toBeGreaterThan(0);
      expect(await runs().findOne({})).toMatchObject({ bottles: 10_000, repaired: 300 });
    });

    it('goes no faster than the operator wants', async () => {
      await lagging(400);
      const start = performance.now();
      // two pages of 200: one pause at 1,000 a second
      await harness.notifier.reconcile.run();
      expect(performance.now() - start).toBeGreaterThanOrEqual(199);
    });
  });
});
