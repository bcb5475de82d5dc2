import { MINUTE_MS, HOUR_MS, type ReportProblem } from '#domain';
import { DeadlinesRepository } from '#persistence';
import { Verifier } from '#timeseries';
import { mongo } from 'mongoose';
import { ChartUpkeep } from '../../apps/notifier/src/charts/chart-upkeep.js';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';
import { verified } from '../../tools/harness/verified.js';

describe('doses', () => {
  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('doses');
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  /** Due at 08:00 UTC, late at 08:30, missed at 12:00; a test begins at 06:00. */
  const SCHEDULE = {
    kind: 'times_of_day',
    times: ['08:00'],
    time_zone: 'UTC',
    late_after: '30m',
    missed_after: '4h',
  };
  const register = (): Promise<TestBottle> => harness.register({ schedule: SCHEDULE, number_of_pills: 30 });

  /** Lets time pass until so many minutes after 06:00. */
  async function reportUntil(minutes: number, ...bottles: TestBottle[]): Promise<void> {
    const since = harness.clock.now().getUTCHours() * 60 + harness.clock.now().getUTCMinutes() - 360;
    await harness.report(minutes - since, ...bottles);
  }

  const take = async (bottle: TestBottle): Promise<void> =>
    harness.action(bottle, 'closed', { pills_taken: 1 });
  const outcomes = async (bottle: TestBottle): Promise<string[]> => {
    const found = harness.database.db
      .collection('dose_outcomes')
      .find({ bottle_id: new mongo.ObjectId(bottle.id) });
    return (await found.toArray()).map((dose) => dose['outcome'] as string);
  };
  const missed = (bottle: TestBottle): ReturnType<NotifierHarness['alerts']> =>
    harness.alerts(bottle, 'missed_dose');

  it('of a bottle that nobody uses raise no alert', async () => {
    const bottle = await register();
    await reportUntil(60, bottle);
    await harness.setState(bottle, { $set: { life: 'stored' } });
    await reportUntil(200, bottle);
    await harness.notifier.runAll();
    expect(await harness.alerts(bottle)).toEqual([]);
  });

  it('notes on the bottle which counts can hardly be so, once, and keeps them', async () => {
    const bottle = await register();
    const count = async (pills_taken: number, number_of_pills: number): Promise<void> => {
      await harness.pass(MINUTE_MS);
      await harness.action(bottle, 'closed', { pills_taken, number_of_pills });
      await harness.notifier.runAll();
    };
    const noted = async (): Promise<string[]> => {
      const { report_problems: problems = [] } = await harness.state(bottle);
      return (problems as ReportProblem[]).map(({ effect, field, reason, count: times }) =>
        [effect, field, reason, times].join(' '),
      );
    };
    await count(1, 29);
    await count(30, 0);
    expect(await noted()).toEqual(['kept pills_taken more_than_were_there 1']);
    // the counts of two bottles
    for (const [taken, left] of [
      [0, 60],
      [1, 11],
      [1, 59],
      [1, 10],
      [1, 58],
    ] as const)
      await count(taken, left);
    await harness.notifier.runAll();
    expect(await noted()).toEqual([
      'kept number_of_pills two_counts 1',
      'kept pills_taken more_than_were_there 1',
    ]);
  });

  it('is none when it was taken early and then put off: the charts do not count it any more', async () => {
    const bottle = await register();
    const { notifier } = harness;
    await notifier.runAll();
    await harness.pass(100 * MINUTE_MS);
    await take(bottle);
    await notifier.runAll();
    expect(await outcomes(bottle)).toEqual(['taken_early']);
    const range = { from: harness.clock.now(), to: new Date(harness.clock.now().getTime() + 2 * HOUR_MS) };
    const wrong = async (): Promise<string[]> => {
      const found = await notifier.app.get(Verifier).verify(range, harness.clock, range.from);
      return found.map(({ tier, kind }) => `${tier} ${kind}`).filter((line) => line.includes(' doses '));
    };
    // what changed of the hour is rolled up, and nobody looks at it again
    await harness.pass(2 * MINUTE_MS);
    await notifier.app.get(ChartUpkeep).follow();
    expect(await wrong()).toEqual([]);
    await asAdmin(harness.support)
      .put(`/v1/bottles/${bottle.id}/schedule`)
      .send({ schedule: { ...SCHEDULE, times: ['20:00'] } })
      .expect(200);
    await harness.pass(MINUTE_MS);
    await notifier.runAll();
    expect(await outcomes(bottle)).toEqual([]);
    expect(await wrong()).toEqual([]);
  });

  it('that ended unseen is sent as missed and not as late, also if what is due is sent while its end is recorded', async () => {
    const bottle = await register();
    await harness.notifier.runAll();
    await reportUntil(365, bottle);
    await harness.heartbeat(bottle);
    await harness.beforeTheEnd(() => harness.notifier.deliverer.run());
    await harness.notifier.doses.run();
    await harness.pass(MINUTE_MS);
    await harness.notifier.deliver();
    expect(harness.received(bottle, 'missed_dose')).toEqual(['missed']);
  });

  it('is late when the bottle has spoken after the deadline, not before, and once', async () => {
    const bottle = await register();
    await harness.notifier.runAll();
    await reportUntil(149, bottle);
    await harness.heartbeat(bottle);
    await harness.pass(MINUTE_MS - 1);
    await harness.notifier.runAll();
    expect(await missed(bottle)).toEqual([]);
    // at the deadline nobody knows yet: the pills may be out already and the report on its way
    await harness.pass(1);
    await harness.notifier.runAll();
    expect(await missed(bottle)).toEqual([]);
    await harness.pass(1_000);
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    await harness.notifier.runAll();
    expect(await missed(bottle)).toMatchObject([{ state: 'open' }]);
    expect(harness.received(bottle, 'missed_dose')).toEqual(['raised']);
  });

  it('once missed is missed, or taken, also when the contacts of its time are no longer kept', async () => {
    const bottle = await register();
    await reportUntil(400, bottle);
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    expect(await outcomes(bottle)).toEqual(['missed']);
    const day = harness.clock.now();
    await harness.pass(20 * 24 * HOUR_MS);
    await harness.database.db
      .collection('bottle_heartbeats')
      .deleteMany({ bottle_id: new mongo.ObjectId(bottle.id), time: { $lte: day } });
    const extra = { type: 'action', action: 'closed', mass_of_contents: 30, number_of_pills: 20 };
    // pills that count for no slot touch the one before
    await harness.backlog(bottle, [{ ...extra, time: day, pills_taken: 1 }]);
    await harness.notifier.runAll();
    expect((await outcomes(bottle))[0]).toBe('missed');
    const slot = new Date(day.getTime() - (day.getTime() % (24 * HOUR_MS)) + 8 * HOUR_MS);
    await harness.backlog(bottle, [{ ...extra, time: slot, pills_taken: 1 }]);
    await harness.notifier.runAll();
    expect((await outcomes(bottle))[0]).toBe('taken_on_time');
  });

  it('once missed is missed, also when only a report that was sent again has shown the end of its dose', async () => {
    const bottle = await register();
    const closing = { type: 'action', action: 'closed', mass_of_contents: 30, number_of_pills: 30 };
    const kept = { ...closing, pills_taken: 0, time: harness.clock.now() };
    await harness.backlog(bottle, [kept]);
    await reportUntil(360, bottle);
    await harness.pass(10 * MINUTE_MS);
    await harness.backlog(bottle, [kept]);
    await harness.notifier.runAll();
    expect(await outcomes(bottle)).toEqual(['missed']);
    // no report that is in a log is within an hour of another one
    await harness.pass(100 * MINUTE_MS);
    await harness.heartbeat(bottle);
    await harness.pass(10 * MINUTE_MS);
    await harness.backlog(bottle, [{ ...closing, time: harness.clock.now(), pills_taken: 1 }]);
    await harness.notifier.runAll();
    expect((await outcomes(bottle))[0]).toBe('missed');
  });

  it('two notifiers at once raise and deliver each once', async () => {
    const bottles = await Promise.all(Array.from({ length: 20 }, register));
    const other = await harness.addNotifier();
    await reportUntil(151, ...bottles);
    await harness.heartbeat(...bottles);
    await Promise.all([harness.notifier.doses.run(), other.doses.run()]);
    await Promise.all([harness.notifier.runAll(), other.runAll()]);
    for (const bottle of bottles) expect(await missed(bottle)).toHaveLength(1);
    for (const bottle of bottles) expect(harness.received(bottle, 'missed_dose')).toEqual(['raised']);
    const ids = bottles.map(({ id }) => id);
    expect(harness.receiver.requests.filter(({ data }) => ids.includes(data.bottle_id))).toHaveLength(
      ids.length,
    );
  });

  it('quarantines a bottle with a corrupt schedule and continues with the good ones', async () => {
    const [first, bad, last] = [await register(), await register(), await register()];
    await harness.database.db
      .collection('bottles')
      .updateOne(
        { _id: new mongo.ObjectId(bad.id) },
        { $set: { 'schedule_versions.0.schedule.times': 'corrupt' } },
      );
    await reportUntil(151, first, bad, last);
    await harness.heartbeat(first, bad, last);
    expect(await harness.notifier.doses.run()).toMatchObject({ failed: 1 });
    expect(await missed(first)).toHaveLength(1);
    expect(await missed(last)).toHaveLength(1);
    expect(await harness.state(bad)).toMatchObject({ set_aside: { check: 'DosesCheck' } });
    expect(await harness.notifier.doses.run()).toMatchObject({ failed: 0 });
  });

  it('a contact that ends a silence leaves two minutes for the backlog', async () => {
    const bottle = await register();
    await harness.heartbeat(bottle);
    await harness.pass(3 * HOUR_MS);
    await harness.notifier.runAll();
    expect(await missed(bottle)).toEqual([]);
    await harness.heartbeat(bottle);
    await harness.live(1);
    expect(await missed(bottle)).toEqual([]);
    await harness.live(1);
    expect(await missed(bottle)).toMatchObject([{ state: 'open' }]);
  });

  it('a dose that comes with the backlog of a silence is never called late', async () => {
    const bottle = await register();
    await harness.heartbeat(bottle);
    const taken = new Date(harness.clock.now().getTime() + 2 * HOUR_MS).toISOString();
    await harness.pass(3 * HOUR_MS);
    await harness.heartbeat(bottle);
    await harness.live(1);
    const action = {
      action: 'closed',
      time: taken,
      pills_taken: 1,
      mass_of_contents: 29,
      number_of_pills: 29,
    };
    await harness.backlog(bottle, [{ type: 'action', ...action }]);
    await harness.live(5);
    expect(await missed(bottle)).toEqual([]);
    expect(await outcomes(bottle)).toEqual(['taken_on_time']);
  });

  it('is missed, and sent as missed, when the bottle was online all the time', async () => {
    const bottle = await register();
    await reportUntil(151, bottle);
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    await reportUntil(361, bottle);
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    expect(await missed(bottle)).toMatchObject([{ state: 'resolved', evidence: { outcome: 'missed' } }]);
    expect(await outcomes(bottle)).toEqual(['missed']);
    expect(harness.received(bottle, 'missed_dose')).toEqual(['raised', 'missed']);
  });

  it('was missed: the steps that are left are sent, unless staff acknowledge it even then', async () => {
    const escalation = [
      { after: '0m', to: 'user' },
      { after: '4h', to: 'carer' },
    ];
    await asAdmin(harness.support)
      .put('/v1/contacts/missing')
      .send(verified({ webhook: true, time_zone: 'UTC', carer: { webhook: true }, escalation }))
      .expect(201);
    const registered = { schedule: SCHEDULE, number_of_pills: 30, user_id: 'missing' };
    const [left, acknowledged] = [await harness.register(registered), await harness.register(registered)];
    await reportUntil(151, left, acknowledged);
    await harness.heartbeat(left, acknowledged);
    await harness.notifier.runAll();
    await reportUntil(361, left, acknowledged);
    await harness.heartbeat(left, acknowledged);
    await harness.notifier.runAll();
    const [{ _id }] = (await missed(acknowledged)) as [{ _id: mongo.ObjectId }];
    await asAdmin(harness.support).post(`/v1/alerts/${_id.toHexString()}/acknowledge`).send({}).expect(200);
    await harness.pass(40 * MINUTE_MS);
    await harness.notifier.runAll();
    const sentTo = async (bottle: TestBottle): Promise<unknown[]> => {
      const sent = (await harness.deliveries(bottle)).filter(({ event }) => event === 'missed');
      return sent.map(({ recipient }) => recipient as string).sort();
    };
    expect(await sentTo(left)).toEqual(['carer:missing', 'user:missing']);
    expect(await sentTo(acknowledged)).toEqual(['user:missing']);
    expect(await missed(acknowledged)).toMatchObject([{ state: 'resolved' }]);
  });

  it('is taken after all, late: the alert ends', async () => {
    const bottle = await register();
    await reportUntil(151, bottle);
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    await take(bottle);
    await harness.notifier.runAll();
    expect(await outcomes(bottle)).toEqual(['taken_late']);
    expect(harness.received(bottle, 'missed_dose')).toEqual(['raised', 'resolved']);
  });

  it('is taken in part: its notifications say so, and what is taken later is in the reminder', async () => {
    const user_id = 'in-two-parts';
    const escalation = [
      { after: '0m', to: 'user' },
      { after: '1h', to: 'user' },
    ];
    await asAdmin(harness.support)
      .put(`/v1/contacts/${user_id}`)
      .send({ webhook: true, time_zone: 'UTC', escalation })
      .expect(201);
    const schedule = { ...SCHEDULE, pills_per_dose: 3 };
    const bottle = await harness.register({ schedule, number_of_pills: 30, user_id });
    await reportUntil(125, bottle);
    await take(bottle);
    const first = harness.clock.now().toISOString();
    await reportUntil(151, bottle);
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    await reportUntil(160, bottle);
    await take(bottle);
    const second = harness.clock.now().toISOString();
    await harness.notifier.runAll();
    expect(harness.received(bottle, 'missed_dose')).toEqual(['raised']);
    await reportUntil(215, bottle);
    await harness.heartbeat(bottle);
    await harness.notifier.runAll();
    expect(harness.received(bottle, 'missed_dose')).toEqual(['raised', 'escalated']);
    const evidence = harness.receiver.requests
      .filter(({ data }) => data.bottle_id === bottle.id)
      .map(({ data }) => (data as { evidence?: object }).evidence);
    expect(evidence).toMatchObject([
      { pills_taken: 1, part_taken_at: first },
      { pills_taken: 2, part_taken_at: second },
    ]);
    expect((await missed(bottle))[0]).toMatchObject({
      history: [{ event: 'raised' }, { event: 'escalated' }],
    });
  });

  describe('that ended more than a day before they are found', () => {
    let judgeAll: () => unknown = () => undefined;
    afterEach(() => judgeAll());

    /** Two bottles of one person, a day after their doses were missed; the checks judge one bottle in a run. */
    const missedLongAgo = async (user_id: string): Promise<void> => {
      await asAdmin(harness.support)
        .put(`/v1/contacts/${user_id}`)
        .send({ webhook: true, time_zone: 'UTC' })
        .expect(201);
      // the bottles of other tests are not judged
      const states = harness.database.db.collection('bottle_states');
      await states.updateMany({}, { $unset: { dose_due_at: '', dose_waiting: '' } });
      const bottles = await harness.registerMany(2, { user_id, schedule: SCHEDULE });
      await harness.report(31 * 60, ...bottles);
      const deadlines = harness.notifier.app.get(DeadlinesRepository);
      const claim = deadlines.claimOverdue.bind(deadlines);
      deadlines.claimOverdue = (name, now, leaseMs, _limit, ...rest) => claim(name, now, leaseMs, 1, ...rest);
      judgeAll = () => (deadlines.claimOverdue = claim);
    };
    const summaries = (user_id: string): unknown[] =>
      harness.receiver.requests.flatMap(({ data }) =>
        data.user_id === user_id && data.event === 'summary' ? [(data as { doses?: object[] }).doses] : [],
      );

    it('are one message to a person, however long it takes to judge the fleet', async () => {
      await missedLongAgo('of-a-large-fleet');
      const other = await harness.addNotifier();
      for (let found = 0; found < 2; found += 1) {
        await harness.notifier.doses.run();
        await harness.pass(100_000);
        await other.deliver();
      }
      for (let minutes = 0; minutes < 3; minutes += 1) {
        await harness.pass(MINUTE_MS);
        await other.deliver();
      }
      expect(summaries('of-a-large-fleet')).toEqual([[expect.anything(), expect.anything()]]);
    });

    it('are one message to a person, also if the last is found just before the others are sent', async () => {
      await missedLongAgo('found-just-before');
      await harness.notifier.doses.run();
      await harness.pass(50_000);
      await harness.notifier.doses.run();
      for (let seconds = 0; seconds < 180; seconds += 10) {
        await harness.pass(10_000);
        await harness.notifier.deliver();
      }
      expect(summaries('found-just-before')).toEqual([[expect.anything(), expect.anything()]]);
    });

    it('are sent without those of a bottle that is not judged for two hours', async () => {
      await missedLongAgo('of-an-unjudged-bottle');
      await harness.notifier.doses.run();
      await harness.pass(2 * HOUR_MS - 1);
      await harness.notifier.deliver();
      expect(summaries('of-an-unjudged-bottle')).toEqual([]);
      await harness.pass(MINUTE_MS + 1);
      await harness.notifier.deliver();
      expect(summaries('of-an-unjudged-bottle')).toEqual([[expect.anything()]]);
    });
  });

  it('a dose is not named again by the silence to whoever was notified that it cannot be confirmed', async () => {
    const escalation = [
      { after: '0m', to: 'user' },
      { after: '30m', to: 'carer', kinds: ['missed_dose'] },
      { after: '3h', to: 'carer', kinds: ['bottle_silent'] },
    ];
    const recipient = { webhook: true, time_zone: 'UTC' };
    await asAdmin(harness.support)
      .put('/v1/contacts/who-is-notified-once')
      .send({ ...recipient, carer: recipient, escalation })
      .expect(201);
    const bottle = await harness.register({ schedule: SCHEDULE, user_id: 'who-is-notified-once' });
    await reportUntil(165, bottle);
    await harness.heartbeat(bottle);
    // late; the carer; silent; unknown to the carer; silent to the carer
    for (const minutes of [0, 31, 60, 105, 2, 78]) {
      await harness.pass(minutes * MINUTE_MS);
      await harness.notifier.runAll();
    }
    expect(harness.receiver.received(bottle.id)).toEqual([
      'missed_dose raised',
      'missed_dose escalated',
      'bottle_silent raised',
      'missed_dose unknown',
      'bottle_silent escalated',
    ]);
    const named = harness.receiver.messages
      .filter(({ data }) => data.bottle_id === bottle.id && data.kind === 'bottle_silent')
      .map(({ data }) => (data as { evidence?: object }).evidence);
    const dose = expect.stringContaining('T08:00:00.000Z') as string;
    expect(named).toMatchObject([{ unconfirmed_doses: [dose] }, { unconfirmed_doses: [] }]);
  });

  it('a silence does not name the dose that an earlier silence hid', async () => {
    const bottle = await harness.register({ schedule: SCHEDULE, user_id: 'who-was-silent-twice' });
    await reportUntil(150, bottle);
    await harness.heartbeat(bottle);
    // silent over the dose
    for (let minutes = 0; minutes < 6 * 60; minutes += 30) {
      await harness.pass(30 * MINUTE_MS);
      await harness.notifier.runAll();
    }
    await harness.heartbeat(bottle);
    for (let minutes = 0; minutes < 2 * 60; minutes += 30) {
      await harness.pass(30 * MINUTE_MS);
      await harness.notifier.runAll();
    }
    const named = harness.receiver.messages
      .filter(({ data }) => data.bottle_id === bottle.id && data.kind === 'bottle_silent')
      .map(({ data }) => data as { event: string; evidence?: { unconfirmed_doses?: string[] } });
    expect(named.map(({ event, evidence }) => [event, evidence?.unconfirmed_doses?.length])).toEqual([
      ['raised', 1],
      ['resolved', 1],
      ['raised', 0],
    ]);
  });
});
