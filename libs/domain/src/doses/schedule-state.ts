import { asNeededAt, versionAt } from './as-needed.js';
import { notMonitoredUntil, type UnmonitoredPeriod, periodAt, reasonOf } from './periods.js';
import type { ScheduleVersion } from './schedule.js';
import { type SharedPlan, sharedPlanAt } from './shared-plan.js';
import { nextSlotAfter } from './slots.js';

/**
 * Whether doses are due at all. `none`: there is no schedule. `not_started`: the first version takes effect later.
 * `paused`: no dose is due before `until`. `not_monitored`: the bottle says nothing of the doses that are due before
 * `until`, or for as long as nobody knows. `as_needed`: nothing is due, and a day has a limit. `ended`: the course is
 * over, or no dose is due in the next 400 days, and no later version is planned. `active`: doses are due. `shared`: the
 * bottle is for the plan of another one, which has the doses.
 */
export type ScheduleState =
  | { state: 'none' | 'as_needed' | 'ended' | 'active' | 'shared' }
  | { state: 'not_started'; until: Date }
  | { state: 'not_monitored' | 'paused'; until?: Date };

/** The state of a bottle's schedule at an instant. */
export function scheduleStateAt(
  versions: readonly ScheduleVersion[],
  periods: readonly UnmonitoredPeriod[],
  at: Date,
  shared?: readonly SharedPlan[],
): ScheduleState {
  if (sharedPlanAt(shared, at)) return { state: 'shared' };
  const starts = versions.map(({ effective_from }) => effective_from.getTime());
  if (starts.length === 0) return { state: 'none' };
  const period = periodAt(periods, at);
  if (period) {
    const until = notMonitoredUntil(periods, at)!;
    const state = reasonOf(period) === 'pause' ? 'paused' : 'not_monitored';
    return { state, ...(Number.isFinite(until) && { until: new Date(until) }) };
  }
  const version = versionAt(versions, at);
  const coming = starts.filter((start) => start > at.getTime());
  // the bottle left use, and whoever has it now has no schedule
  if (!version && coming.length === 0) return { state: 'none' };
  if (!version) return { state: 'not_started', until: new Date(Math.min(...coming)) };
  if (asNeededAt(versions, at)) return { state: 'as_needed' };
  const goesOn = coming.length > 0 || nextSlotAfter(versions, periods, at);
  return { state: goesOn ? 'active' : 'ended' };
}
