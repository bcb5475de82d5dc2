import { DeadlinesRepository } from '#persistence';
import type { TestNotifier } from '../../tools/harness/services.js';
import { HOUR, MINUTE, NotifierHarness } from './notifier-harness.js';

describe('killed', () => {
  /** A notifier's lease on what it has claimed; see apps/notifier/src/alerts/check.ts. */
  const LEASE = 30_000;

  let harness: NotifierHarness;
  let victim: TestNotifier;

  beforeAll(async () => {
    harness = await NotifierHarness.start('killed');
    victim = await harness.addNotifier();
    // it dies each time when it has recorded its alerts, before the states know of them
    victim.app.get(DeadlinesRepository).release = async () => {
      throw new Error('killed');
    };
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  const die = async (check: { run(): Promise<unknown> }): Promise<void> => {
    await expect(check.run()).rejects.toThrow('killed');
  };

  describe('a notifier is killed between the alert and the state', () => {
    it('of a silent bottle: another one continues after the lease, and the alert is sent once', async () => {
      const bottle = await harness.register();
      await harness.heartbeat(bottle);
      await harness.pass(HOUR);
      await die(victim.silent);
      await harness.pass(LEASE);
      await harness.notifier.runAll();
      await harness.notifier.runAll();
      expect(await harness.alerts(bottle)).toMatchObject([{ state: 'open' }]);
      expect(await harness.state(bottle)).toMatchObject({ silent: true });
      expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised']);
    });

    it('and the bottle reports before the lease ends: the alert ends, and everyone who was notified gets the end', async () => {
      const bottle = await harness.register();
      await harness.heartbeat(bottle);
      await harness.pass(HOUR);
      await die(victim.silent);
      await harness.notifier.deliverer.run();
      expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised']);
      await harness.heartbeat(bottle);
      await harness.pass(LEASE);
      await harness.notifier.runAll();
      expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
      expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised', 'resolved']);
      expect(await harness.state(bottle)).not.toHaveProperty('silent');
      expect(await harness.state(bottle)).not.toHaveProperty('silent_claim');
    });

    it('and the bottle is silent a second time before anybody looks: two alerts, one after the other', async () => {
      const bottle = await harness.register();
      await harness.heartbeat(bottle);
      await harness.pass(HOUR);
      await die(victim.silent);
      await harness.notifier.deliverer.run();
      await harness.heartbeat(bottle);
      await harness.pass(HOUR);
      await harness.notifier.runAll();
      await harness.live(1);
      expect((await harness.alerts(bottle)).map(({ state }) => state as string).sort()).toEqual([
        'open',
        'resolved',
      ]);
      expect(harness.received(bottle, 'bottle_silent').sort()).toEqual(['raised', 'raised', 'resolved']);
      expect(await harness.state(bottle)).toMatchObject({ silent: true });
      expect(await harness.state(bottle)).not.toHaveProperty('silent_at');
    });

    it('of an open bottle that is closed before the lease ends: the alert ends', async () => {
      const bottle = await harness.register();
      await harness.action(bottle, 'opened');
      await harness.pass(5 * MINUTE);
      await die(victim.open);
      await harness.notifier.deliverer.run();
      await harness.pass(1_000);
      await harness.action(bottle, 'closed');
      await harness.pass(LEASE);
      await harness.notifier.runAll();
      expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
      expect(harness.received(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
      expect(await harness.state(bottle)).not.toHaveProperty('open_claim');
    });

    it('of an open bottle that is opened again before anybody looks: two alerts, one after the other', async () => {
      const bottle = await harness.register();
      await harness.action(bottle, 'opened');
      await harness.pass(5 * MINUTE);
      await die(victim.open);
      await harness.notifier.deliverer.run();
      await harness.pass(1_000);
      await harness.action(bottle, 'closed');
      await harness.pass(1_000);
      await harness.action(bottle, 'opened');
      await harness.pass(5 * MINUTE);
      await harness.notifier.runAll();
      await harness.live(1);
      expect((await harness.alerts(bottle)).map(({ state }) => state as string).sort()).toEqual([
        'open',
        'resolved',
      ]);
      expect(harness.received(bottle, 'bottle_open').sort()).toEqual(['raised', 'raised', 'resolved']);
      expect(await harness.state(bottle)).toMatchObject({ open_alerted: true, open_unchanged: true });
    });

    it('of a late dose: another one continues after the lease, and the alert is sent once', async () => {
      const bottle = await harness.register({
        schedule: { kind: 'times_of_day', times: ['08:00'], late_after: '30m', time_zone: 'UTC' },
      });
      await harness.report(121, bottle);
      await harness.pass(30 * MINUTE);
      await harness.heartbeat(bottle);
      await die(victim.doses);
      await harness.pass(LEASE);
      await harness.live(2);
      expect(await harness.alerts(bottle, 'missed_dose')).toMatchObject([{ state: 'open' }]);
      expect(harness.received(bottle, 'missed_dose')).toEqual(['raised']);
    });
  });
});
