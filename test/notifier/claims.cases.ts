import { MINUTE_MS } from '#domain';
import {
  type Alert,
  CoverageRepository,
  DeadlinesRepository,
  OutboxRepository,
  OwedNotificationsRepository,
} from '#persistence';
import { mongo } from 'mongoose';
import { OutboxService } from '../../apps/notifier/src/delivery/outbox.service.js';
import type { TestBottle, TestNotifier } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

describe('claims', () => {
  const BOTTLES = 30;
  const NOTIFIERS = 4;
  /** A claim that is not compare-and-set is given twice in about every other attempt. */
  const REPEATS = 25;
  const LEASE = 30_000;

  let harness: NotifierHarness;
  let notifiers: TestNotifier[];

  beforeAll(async () => {
    harness = await NotifierHarness.start('claims');
    notifiers = await Promise.all(Array.from({ length: NOTIFIERS }, () => harness.addNotifier()));
    const bottles = await harness.registerMany(BOTTLES);
    await Promise.all(bottles.map((bottle) => harness.action(bottle, 'opened')));
    await harness.pass(5 * MINUTE_MS);
  });
  afterAll(() => harness?.stop());

  /** Lets one claim after another, then all at once, again and again: each time everything is won, by one of them. */
  async function expectEachWonOnce(
    claim: (notifier: TestNotifier) => Promise<{ _id: unknown }[]>,
  ): Promise<void> {
    const inTurn = [];
    for (const notifier of notifiers) inTurn.push((await claim(notifier)).length);
    expect(inTurn).toEqual([BOTTLES, 0, 0, 0]);
    await harness.pass(LEASE);
    for (let round = 0; round < REPEATS; round += 1) {
      const won = (await Promise.all(notifiers.map(claim))).flat().map(({ _id }) => String(_id));
      expect(won).toHaveLength(new Set(won).size);
      // who saw the same page as others and won none of it would look again
      expect(won).toHaveLength(BOTTLES);
      await harness.pass(LEASE);
    }
  }

  it('overdue bottles are claimed by one notifier each', () =>
    expectEachWonOnce(async ({ app }) => {
      const repository = app.get(DeadlinesRepository);
      return (await repository.claimOverdue('open', harness.clock.now(), LEASE, BOTTLES)).states;
    }));

  it('messages are claimed by one notifier each', async () => {
    await harness.notifier.open.run();
    await expectEachWonOnce(
      async ({ app }) =>
        (await app.get(OutboxRepository).claimDue('webhook', harness.clock.now(), LEASE, BOTTLES)).deliveries,
    );
  });

  it('of more messages than a page has, a call for help is claimed first', async () => {
    const deliveries = harness.database.db.collection('deliveries');
    const now = harness.clock.now();
    const call = await deliveries.findOneAndUpdate(
      {},
      { $set: { kind: 'help_requested', next_attempt_at: now } },
    );
    const outbox = harness.notifier.app.get(OutboxRepository);
    const claim = async () =>
      (await outbox.claimDue('webhook', now, LEASE, 2)).deliveries.map(({ _id }) => _id);
    expect(await claim()).toEqual([call?._id]);
    expect(await claim()).toHaveLength(2);
    await harness.pass(LEASE);
  });

  it('a release after the lease was lost changes nothing', async () => {
    const bottle = await harness.register();
    await harness.action(bottle, 'opened');
    await harness.pass(5 * MINUTE_MS);
    const [hanging, other] = notifiers.map(({ app }) => app.get(DeadlinesRepository)) as [
      DeadlinesRepository,
      DeadlinesRepository,
    ];
    const mine = await hanging.claimOverdue('open', harness.clock.now(), LEASE, 100);
    await harness.pass(LEASE);
    await other.claimOverdue('open', harness.clock.now(), LEASE, 100);
    const before = await harness.state(bottle);
    const change = { set: { alerted_opening: 'over' as const }, clear: ['open_overdue_at' as const] };
    await hanging.release(
      'open',
      mine.claim,
      mine.states.map(({ _id }) => ({ id: _id, seen: {}, change, otherwise: change })),
    );
    expect(await harness.state(bottle)).toEqual(before);
  });

  it('a notifier that hung until another claimed the bottle does not quarantine it', async () => {
    const bottle = await harness.register();
    await harness.heartbeat(bottle);
    const { last_heard_at } = await harness.state(bottle);
    await harness.setState(bottle, { $set: { last_heard_at: 'never a date' } });
    await harness.pass(60 * MINUTE_MS);
    const [hanging, other] = notifiers as [TestNotifier, TestNotifier];
    const coverage = hanging.app.get(CoverageRepository);
    const read = coverage.read.bind(coverage);
    coverage.read = async (...asked) => {
      // it has claimed and read the record, which is mended and judged meanwhile
      await harness.pass(LEASE);
      await harness.setState(bottle, { $set: { last_heard_at } });
      await other.silent.run();
      return read(...asked);
    };
    await expect(hanging.silent.run()).rejects.toThrow('the lease ran out');
    coverage.read = read;
    expect(await harness.state(bottle)).not.toHaveProperty('set_aside');
    expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_silent', state: 'open' }]);
  });

  describe('an alert that cannot be read, and was mended while a notifier hung, is not quarantined', () => {
    const raise = async (damage: mongo.UpdateFilter<mongo.Document>): Promise<TestBottle> => {
      const bottle = await harness.register();
      await harness.action(bottle, 'opened');
      await harness.pass(5 * MINUTE_MS);
      await notifiers[1]!.open.run();
      await change(bottle, damage);
      return bottle;
    };
    const change = async ({ id }: TestBottle, update: mongo.UpdateFilter<mongo.Document>): Promise<unknown> =>
      harness.database.db
        .collection('alerts')
        .updateOne({ bottle_id: new mongo.ObjectId(id), kind: 'bottle_open' }, update);

    /** The first notifier hangs when it has read what is due; meanwhile the alert is mended. */
    async function hangs(
      method: 'findDueSteps' | 'findOwedEnds',
      mend: () => Promise<unknown>,
      run: (outbox: OutboxService) => Promise<unknown>,
    ): Promise<void> {
      const { app } = notifiers[0]!;
      const owed = app.get(OwedNotificationsRepository);
      const find = owed[method].bind(owed) as (...asked: unknown[]) => Promise<Alert[]>;
      owed[method] = async (...asked: unknown[]) => {
        const found = await find(...asked);
        await mend();
        return found;
      };
      await run(app.get(OutboxService));
      owed[method] = find;
    }

    it('when a step is due', async () => {
      const next_step_at = harness.clock.now();
      const bottle = await raise({ $set: { escalation: 'never a policy', next_step_at } });
      const escalation = [{ after: '0m', to: 'user', every: '10m' }];
      await hangs(
        'findDueSteps',
        () => change(bottle, { $set: { escalation } }),
        (outbox) => outbox.escalate(harness.clock.now()),
      );
      expect(await harness.state(bottle)).not.toHaveProperty('set_aside');
      expect(await harness.alerts(bottle)).toMatchObject([{ next_step_at }]);
    });

    it('when its end is owed', async () => {
      const bottle = await raise({
        $set: { state: 'resolved', end_owed: 'partial', escalation: null },
        $unset: { open: '' },
      });
      await hangs(
        'findOwedEnds',
        () => change(bottle, { $set: { escalation: [{ after: '0m', to: 'user' }] } }),
        (outbox) => outbox.queueEnds(harness.clock.now()),
      );
      expect(await harness.state(bottle)).not.toHaveProperty('set_aside');
      expect(await harness.alerts(bottle)).toMatchObject([{ end_owed: 'partial' }]);
      await notifiers[1]!.app.get(OutboxService).queueEnds(harness.clock.now());
      const queued = await harness.deliveries(bottle);
      expect(queued.map(({ event }) => event as string)).toContain('partial');
    });
  });
});
