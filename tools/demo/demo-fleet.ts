import { type Clock, SystemClock } from '#platform';
import { once } from 'node:events';
import { DEMO_BOTTLES, type DemoBottle } from './bottles.js';
import { DEMO_WINDOWS, type DemoPlan, type DemoThresholds, planDemo } from './plan.js';
import { playRole } from './roles.js';
import { Fleet } from '../harness/bottle/fleet.js';
import type { Stats } from '../harness/bottle/stats.js';
import { wallClockTime } from '../harness/wall-clock.js';

export interface DemoFleetOptions {
  /** Address of device-api. */
  target: string;
  /** Address of support-api. */
  support: string;
  adminToken: string;
  /** The services' settings. */
  thresholds: DemoThresholds;
  /** Takes one line for each event. */
  log: (line: string) => void;
  /** Ends the demo. */
  signal: AbortSignal;
  clock?: Clock;
}

const PILLS = 30;
const DRAIN_MS = 2_000;

/**
 * Runs twelve bottles until `signal` aborts. Within two minutes one misses a dose and takes it later, one is left open
 * and closed later, and one goes silent and returns with its backlog.
 *
 * @returns the fleet's figures, once `signal` has aborted
 * @throws when a bottle cannot be registered
 */
export async function runDemoFleet(options: DemoFleetOptions): Promise<Stats> {
  const { signal, thresholds, log, clock = new SystemClock() } = options;
  const fleet = new Fleet({ ...options, seed: 'demo', concurrency: DEMO_BOTTLES.length, clock });
  const ended = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  try {
    const plan = planDemo(clock.now(), thresholds);
    log(
      `${DEMO_BOTTLES.length} bottles; a dose is due at ${new Date(plan.slot).toISOString().slice(11, 16)} UTC`,
    );
    await Promise.race([ended, Promise.all(DEMO_BOTTLES.map((bottle) => join(fleet, bottle, plan, log)))]);
    fleet.timeline.at(plan.endsAt, () =>
      log('the demo is complete; the bottles keep reporting until you stop it'),
    );
    await ended;
  } finally {
    await fleet.stop(DRAIN_MS);
  }
  return fleet.stats.snapshot();
}

async function join(
  fleet: Fleet,
  member: DemoBottle,
  plan: DemoPlan,
  log: (line: string) => void,
): Promise<void> {
  const { role, ...facts } = member;
  const bottle = await fleet.add(
    {
      ...facts,
      number_of_pills: PILLS,
      ...(role === 'is left open' ? {} : { schedule: scheduleOf(member, plan) }),
    },
    { name: member.medication, pills: PILLS },
  );
  const say = (line: string) => log(`${member.medication} (${member.user_id}): ${line}`);
  playRole(role, {
    bottle,
    timeline: fleet.timeline,
    random: fleet.random(member.medication, 'role'),
    plan,
    say,
  });
}

function scheduleOf({ time_zone }: DemoBottle, { slot }: DemoPlan): object {
  return { kind: 'times_of_day', times: [wallClockTime(slot, time_zone)], ...DEMO_WINDOWS };
}
