import type { Random } from '../../random.js';
import type { BehaviourContext } from './behaviours.js';
import type { DosePlan } from './dose-plan.js';

/** How somebody keeps to a prescription. */
export interface Habit {
  /** How often a dose is not taken at all. */
  skips: number;
  /** How often one that is taken is taken late. */
  late: number;
}

export const ADHERENT: Habit = { skips: 0, late: 0 };
export const FORGETFUL: Habit = { skips: 0.3, late: 0.2 };

/** The lid is off for 20 seconds; however fast time runs, opening and closing are two moments. */
const OPEN_SECONDS = 20;
const SHORTEST_OPENING_MS = 5;

/**
 * When the dose of a slot is taken, relative to the slot: around it when on time, well into the time in which it
 * counts as late, or undefined when it is skipped. Milliseconds.
 */
export function doseDelay({ skips, late }: Habit, plan: DosePlan, random: Random): number | undefined {
  if (random.chance(skips)) return undefined;
  if (random.chance(late)) return plan.lateMs * random.between(1.2, 2);
  return random.between(-plan.earlyMs / 4, plan.lateMs / 2);
}

/** Takes the doses of a plan, one pill each; asks for another plan when it has run out. */
export function doses(habit: Habit, plan: DosePlan, renew: (before: DosePlan) => DosePlan) {
  return function takeDoses(context: BehaviourContext): void {
    const { bottle, timeline, pace, random } = context;
    const openFor = Math.max(SHORTEST_OPENING_MS, pace.seconds(OPEN_SECONDS));
    for (const slot of plan.slots) {
      const delay = doseDelay(habit, plan, random);
      if (delay !== undefined) timeline.at(slot + delay, () => bottle.take(1, openFor));
    }
    timeline.at(plan.endsAt, () => doses(habit, renew(plan), renew)(context));
  };
}
