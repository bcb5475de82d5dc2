import { HOUR_MS, MINUTE_MS } from '#domain';
import { BatteryLowCheck } from '../../apps/notifier/src/alert-kinds/battery-low/battery-low.check.js';
import { AlertTraces } from '../../apps/notifier/src/alerts/alert-traces.js';
import {
  AlertsRepository,
  ContactsRepository,
  DeadlinesRepository,
  DoseOutcomesRepository,
} from '#persistence';
import { ManualClock } from '#platform';
import type { TestBottle, TestNotifier } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

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
      await harness.pass(HOUR_MS);
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
      await harness.pass(HOUR_MS);
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
      await harness.pass(HOUR_MS);
      await die(victim.silent);
      await harness.notifier.deliverer.run();
      await harness.heartbeat(bottle);
      await harness.pass(HOUR_MS);
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

    it('of a bottle that has never reported, and does then: the alert ends', async () => {
      const bottle = await harness.register({
        number_of_pills: 30,
        schedule: { kind: 'interval', every: '24h', anchor: harness.clock.now().toISOString() },
      });
      await harness.pass(4 * HOUR_MS);
      await die(victim.doses);
      await harness.notifier.deliverer.run();
      expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised']);
      await harness.heartbeat(bottle);
      await harness.pass(LEASE);
      await harness.notifier.runAll();
      await harness.notifier.runAll();
      expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
      expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised', 'resolved']);
      expect(await harness.state(bottle)).not.toHaveProperty('silent');
    });

    it('of a missed dose, and a backlog has it taken: the outcome that it wrote is replaced', async () => {
      const anchor = harness.clock.now();
      const bottle = await harness.register({
        number_of_pills: 30,
        schedule: { kind: 'interval', every: '24h', anchor: anchor.toISOString() },
      });
      await harness.report(5 * 60, bottle);
      await harness.heartbeat(bottle);
      await die(victim.doses);
      expect(await harness.outcomes(bottle)).toMatchObject([{ outcome: 'missed' }]);
      const time = new Date(anchor.getTime() + 5 * MINUTE_MS).toISOString();
      const contents = { mass_of_contents: 14.5, number_of_pills: 29 };
      await harness.backlog(bottle, [
        { type: 'action', action: 'closed', time, pills_taken: 1, ...contents },
      ]);
      await harness.pass(LEASE);
      await harness.notifier.runAll();
      expect(await harness.outcomes(bottle)).toMatchObject([{ outcome: 'taken_on_time' }]);
    });

    it('of an open bottle that is closed before the lease ends: the alert ends', async () => {
      const bottle = await harness.register();
      await harness.action(bottle, 'opened');
      await harness.pass(5 * MINUTE_MS);
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
      await harness.pass(5 * MINUTE_MS);
      await die(victim.open);
      await harness.notifier.deliverer.run();
      await harness.pass(1_000);
      await harness.action(bottle, 'closed');
      await harness.pass(1_000);
      await harness.action(bottle, 'opened');
      await harness.pass(5 * MINUTE_MS);
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
      await harness.pass(30 * MINUTE_MS);
      await harness.heartbeat(bottle);
      await die(victim.doses);
      await harness.pass(LEASE);
      await harness.live(2);
      expect(await harness.alerts(bottle, 'missed_dose')).toMatchObject([{ state: 'open' }]);
      expect(harness.received(bottle, 'missed_dose')).toEqual(['raised']);
    });
  });

  describe('a notifier hangs until another one has judged again', () => {
    const schedule = {
      kind: 'times_of_day',
      times: ['08:00'],
      late_after: '30m',
      missed_after: '1h',
      time_zone: 'UTC',
    };
    let hanging: TestNotifier;

    beforeAll(async () => {
      hanging = await harness.addNotifier();
    });

    type Command = readonly [abstract new (...all: never[]) => object, string, 'before' | 'after'];

    /** Runs a check that hangs once, before or after this command, for as long as its lease and what happens meanwhile. */
    const hangAlone = async (
      check: { run(): Promise<unknown> },
      [type, method, when]: Command,
      meanwhile: () => Promise<unknown> = async () => undefined,
      notifier = hanging,
    ): Promise<void> => {
      const owner = notifier.app.get<Record<string, (...all: unknown[]) => Promise<unknown>>>(type);
      const original = owner[method]!.bind(owner);
      let hung = false;
      owner[method] = async (...all) => {
        owner[method] = original;
        hung = true;
        const result = when === 'after' ? await original(...all) : undefined;
        await harness.pass(LEASE + 1_000);
        await meanwhile();
        return when === 'after' ? result : original(...all);
      };
      // it may notice that its lease is over
      await check.run().catch(() => undefined);
      expect(hung).toBe(true);
    };

    const hang = (
      check: { run(): Promise<unknown> },
      command: Command,
      meanwhile: () => Promise<unknown>,
      notifier = hanging,
    ): Promise<void> =>
      hangAlone(check, command, () => meanwhile().then(() => harness.notifier.runAll()), notifier);

    const BEFORE_INSERT = [AlertsRepository, 'raiseNotifying', 'before'] as const;

    const lateDose = async (): Promise<TestBottle> => {
      const bottle = await harness.register({ schedule });
      await harness.report(121, bottle);
      await harness.pass(30 * MINUTE_MS);
      await harness.heartbeat(bottle);
      return bottle;
    };

    const removalAt = (bottle: TestBottle, time: string): Promise<void> => {
      const day = harness.clock.now().toISOString().slice(0, 11);
      const removal = { type: 'action', action: 'closed', time: `${day}${time}Z`, pills_taken: 1 };
      return harness.backlog(bottle, [{ ...removal, mass_of_contents: 30, number_of_pills: 20 }]);
    };

    it('while it reads the contacts: nobody is notified of a dose that was taken', async () => {
      const bottle = await lateDose();
      await hang(hanging.doses, [ContactsRepository, 'findByUsers', 'after'], () =>
        removalAt(bottle, '08:05:00'),
      );
      await harness.live(2);
      expect(await harness.alerts(bottle, 'missed_dose')).toEqual([]);
      expect(harness.received(bottle, 'missed_dose')).toEqual([]);
    });

    it('on a machine that slept: its clock does not say for how long', async () => {
      const bottle = await lateDose();
      const asleep = await harness.addNotifier({}, new ManualClock(harness.clock.now()));
      await hang(
        asleep.doses,
        // the last that is read before the alert is raised
        [AlertTraces, 'begin', 'after'],
        () => removalAt(bottle, '08:05:00'),
        asleep,
      );
      expect(await harness.alerts(bottle, 'missed_dose')).toEqual([]);
    });

    it.each([['before'], ['after']] as const)('%s it raises: a false alert of a dose ends', async (when) => {
      const bottle = await lateDose();
      await hang(hanging.doses, [AlertsRepository, 'raiseNotifying', when], () =>
        removalAt(bottle, '08:05:00'),
      );
      await hanging.deliverer.run();
      await harness.live(2);
      expect(await harness.alerts(bottle, 'missed_dose')).toMatchObject([{ state: 'retracted' }]);
      expect(harness.received(bottle, 'missed_dose').at(-1)).not.toBe('raised');
      expect(await harness.state(bottle)).not.toHaveProperty('late');
    });

    it('before it ends an alert as missed: the dose that was taken is corrected', async () => {
      const bottle = await lateDose();
      await harness.notifier.runAll();
      await harness.report(31, bottle);
      await harness.heartbeat(bottle);
      await hang(hanging.doses, [AlertsRepository, 'end', 'before'], () => removalAt(bottle, '08:05:00'));
      await harness.live(2);
      expect(await harness.alerts(bottle, 'missed_dose')).toMatchObject([{ state: 'retracted' }]);
      expect(harness.received(bottle, 'missed_dose').at(-1)).toBe('retracted');
    });

    it('before it writes an outcome: the newer judgement stays', async () => {
      const bottle = await lateDose();
      await harness.notifier.runAll();
      await harness.report(31, bottle);
      await harness.heartbeat(bottle);
      await hang(hanging.doses, [DoseOutcomesRepository, 'upsert', 'before'], () =>
        removalAt(bottle, '08:05:00'),
      );
      expect(await harness.outcomes(bottle)).toMatchObject([{ outcome: 'taken_on_time' }]);
    });

    it('before it raises a silence: the alert ends', async () => {
      const bottle = await harness.register();
      await harness.heartbeat(bottle);
      await harness.pass(HOUR_MS);
      await hang(hanging.silent, BEFORE_INSERT, () => harness.heartbeat(bottle));
      await harness.live(2);
      expect(await harness.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
      expect(await harness.state(bottle)).not.toHaveProperty('silent');
    });

    it('before it raises a silence that lasts: the alert stays, and is sent once', async () => {
      const bottle = await harness.register();
      await harness.heartbeat(bottle);
      await harness.pass(HOUR_MS);
      await hang(hanging.silent, BEFORE_INSERT, async () => undefined);
      await harness.live(2);
      expect(await harness.alerts(bottle)).toMatchObject([{ state: 'open' }]);
      expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised']);
      expect(await harness.state(bottle)).toMatchObject({ silent: true, quiet: 'silent' });
    });

    it('before it raises an open lid: the alert ends if the bottle was closed, and stays if not', async () => {
      const [closed, open] = [await harness.register(), await harness.register()];
      await Promise.all([harness.action(closed, 'opened'), harness.action(open, 'opened')]);
      await harness.pass(5 * MINUTE_MS);
      await hang(hanging.open, BEFORE_INSERT, () => harness.action(closed, 'closed'));
      await harness.live(2);
      expect(await harness.alerts(closed)).toMatchObject([{ state: 'resolved' }]);
      expect(await harness.state(closed)).not.toHaveProperty('open_alerted');
      expect(await harness.alerts(open)).toMatchObject([{ state: 'open' }]);
      expect(await harness.state(open)).toMatchObject({ open_alerted: true, open_unchanged: true });
      expect(harness.received(open, 'bottle_open')).toEqual(['raised']);
    });

    it('before it raises an open lid, and the one that raised it is killed: the alert stays while the lid is open', async () => {
      const bottle = await harness.register();
      await harness.action(bottle, 'opened');
      await harness.pass(5 * MINUTE_MS);
      await hang(hanging.open, BEFORE_INSERT, () => die(victim.open));
      await harness.pass(LEASE);
      await harness.live(2);
      expect(await harness.alerts(bottle)).toMatchObject([{ state: 'open' }]);
      expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
    });

    describe('and nobody else looks', () => {
      const READING = [ContactsRepository, 'findByUsers', 'after'] as const;

      it('a lid that is left open is found again', async () => {
        const bottle = await harness.register();
        await harness.action(bottle, 'opened');
        await harness.pass(5 * MINUTE_MS);
        await hangAlone(hanging.open, READING);
        await harness.live(2);
        expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_open', state: 'open' }]);
        expect(harness.received(bottle, 'bottle_open')).toEqual(['raised']);
      });

      it('a silence is found again', async () => {
        const bottle = await harness.register();
        await harness.heartbeat(bottle);
        await harness.pass(HOUR_MS);
        await hangAlone(hanging.silent, READING);
        await harness.live(2);
        expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'bottle_silent', state: 'open' }]);
        expect(harness.received(bottle, 'bottle_silent')).toEqual(['raised']);
      });

      it('a low battery is found again', async () => {
        const bottle = await harness.register();
        for (let hours = 0; hours < 49; hours += 1) {
          await bottle.post('/v1/heartbeats', { battery_percent: 3 }).expect(204);
          await harness.pass(HOUR_MS / 2);
        }
        await bottle.post('/v1/heartbeats', { battery_percent: 3 }).expect(204);
        await hangAlone(hanging.app.get(BatteryLowCheck), READING);
        await harness.live(2);
        expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'battery_low', state: 'open' }]);
      });

      it('a late dose is found again', async () => {
        const bottle = await lateDose();
        await hangAlone(hanging.doses, READING);
        await harness.live(2);
        expect(await harness.alerts(bottle)).toMatchObject([{ kind: 'missed_dose', state: 'open' }]);
        expect(harness.received(bottle, 'missed_dose')).toEqual(['raised']);
      });
    });

    it('before it raises a low battery: the alert ends when it is known that the battery was replaced', async () => {
      const bottle = await harness.register();
      const report = (battery_percent: number) =>
        bottle.post('/v1/heartbeats', { battery_percent }).expect(204);
      for (let hours = 0; hours < 49; hours += 1) {
        await report(3);
        await harness.pass(HOUR_MS / 2);
      }
      await report(3);
      await hang(hanging.app.get(BatteryLowCheck), BEFORE_INSERT, () => report(90));
      await report(90);
      await harness.live(70);
      expect((await harness.alerts(bottle, 'battery_low')).filter(({ open }) => open)).toEqual([]);
    });

    it('and is killed when it has raised a false alert: the reconcile has the dose judged again', async () => {
      const bottle = await lateDose();
      const deadlines = hanging.app.get(DeadlinesRepository);
      const release = deadlines.release.bind(deadlines);
      deadlines.release = async () => {
        throw new Error('killed');
      };
      await hang(hanging.doses, BEFORE_INSERT, () => removalAt(bottle, '08:05:00'));
      deadlines.release = release;
      await harness.pass(2 * MINUTE_MS);
      await harness.notifier.reconcile.run();
      await harness.live(2);
      expect(await harness.alerts(bottle, 'missed_dose')).toMatchObject([{ state: 'retracted' }]);
      await harness.pass(2 * MINUTE_MS);
      expect(await harness.notifier.reconcile.run()).toMatchObject({ repaired: 0 });
    });
  });
});
