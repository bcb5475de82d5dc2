import { DeadlinesRepository } from '#persistence';
import type { TestNotifier } from '../../tools/harness/services.js';
import { HOUR, MINUTE, World } from './world.js';

/** A notifier's lease on what it had in hand; see apps/notifier/src/checks/check.ts. */
const LEASE = 30_000;

let world: World;
let victim: TestNotifier;

beforeAll(async () => {
  world = await World.start('killed');
  victim = await world.addNotifier();
  // it dies each time when it has recorded its alerts, before the states know of them
  victim.app.get(DeadlinesRepository).release = async () => {
    throw new Error('killed');
  };
});
afterAll(() => world?.stop());

beforeEach(() => world.begin());

const die = async (check: { run(): Promise<unknown> }): Promise<void> => {
  await expect(check.run()).rejects.toThrow('killed');
};

describe('a notifier is killed between the alert and the state', () => {
  it('of a silent bottle: the next one goes on after the lease, and the alert is told once', async () => {
    const bottle = await world.register();
    await world.heartbeat(bottle);
    await world.pass(HOUR);
    await die(victim.silent);
    await world.pass(LEASE);
    await world.notifier.runAll();
    await world.notifier.runAll();
    expect(await world.alerts(bottle)).toMatchObject([{ state: 'open' }]);
    expect(await world.state(bottle)).toMatchObject({ silent: true });
    expect(world.heard(bottle, 'bottle_silent')).toEqual(['raised']);
  });

  it('and the bottle speaks before the lease ends: the alert ends, and who was told hears of it', async () => {
    const bottle = await world.register();
    await world.heartbeat(bottle);
    await world.pass(HOUR);
    await die(victim.silent);
    await world.notifier.deliverer.run();
    expect(world.heard(bottle, 'bottle_silent')).toEqual(['raised']);
    await world.heartbeat(bottle);
    await world.pass(LEASE);
    await world.notifier.runAll();
    expect(await world.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
    expect(world.heard(bottle, 'bottle_silent')).toEqual(['raised', 'resolved']);
    expect(await world.state(bottle)).not.toHaveProperty('silent');
    expect(await world.state(bottle)).not.toHaveProperty('silent_claim');
  });

  it('and the bottle is silent a second time before anybody looks: two alerts, one after the other', async () => {
    const bottle = await world.register();
    await world.heartbeat(bottle);
    await world.pass(HOUR);
    await die(victim.silent);
    await world.notifier.deliverer.run();
    await world.heartbeat(bottle);
    await world.pass(HOUR);
    await world.notifier.runAll();
    await world.live(1);
    expect((await world.alerts(bottle)).map(({ state }) => state as string).sort()).toEqual([
      'open',
      'resolved',
    ]);
    expect(world.heard(bottle, 'bottle_silent').sort()).toEqual(['raised', 'raised', 'resolved']);
    expect(await world.state(bottle)).toMatchObject({ silent: true });
    expect(await world.state(bottle)).not.toHaveProperty('silent_at');
  });

  it('of an open bottle that is closed before the lease ends: the alert ends', async () => {
    const bottle = await world.register();
    await world.action(bottle, 'opened');
    await world.pass(5 * MINUTE);
    await die(victim.open);
    await world.notifier.deliverer.run();
    await world.pass(1_000);
    await world.action(bottle, 'closed');
    await world.pass(LEASE);
    await world.notifier.runAll();
    expect(await world.alerts(bottle)).toMatchObject([{ state: 'resolved' }]);
    expect(world.heard(bottle, 'bottle_open')).toEqual(['raised', 'resolved']);
    expect(await world.state(bottle)).not.toHaveProperty('open_claim');
  });

  it('of an open bottle that is opened again before anybody looks: two alerts, one after the other', async () => {
    const bottle = await world.register();
    await world.action(bottle, 'opened');
    await world.pass(5 * MINUTE);
    await die(victim.open);
    await world.notifier.deliverer.run();
    await world.pass(1_000);
    await world.action(bottle, 'closed');
    await world.pass(1_000);
    await world.action(bottle, 'opened');
    await world.pass(5 * MINUTE);
    await world.notifier.runAll();
    await world.live(1);
    expect((await world.alerts(bottle)).map(({ state }) => state as string).sort()).toEqual([
      'open',
      'resolved',
    ]);
    expect(world.heard(bottle, 'bottle_open').sort()).toEqual(['raised', 'raised', 'resolved']);
    expect(await world.state(bottle)).toMatchObject({ open_alerted: true, open_unchanged: true });
  });

  it('of a late dose: the next one goes on after the lease, and the alert is told once', async () => {
    const bottle = await world.register({
      schedule: { kind: 'times_of_day', times: ['08:00'], late_after: '30m', time_zone: 'UTC' },
    });
    await world.live(121, () => world.heartbeat(bottle));
    await world.pass(30 * MINUTE);
    await world.heartbeat(bottle);
    await die(victim.doses);
    await world.pass(LEASE);
    await world.live(2);
    expect(await world.alerts(bottle, 'missed_dose')).toMatchObject([{ state: 'open' }]);
    expect(world.heard(bottle, 'missed_dose')).toEqual(['raised']);
  });
});
