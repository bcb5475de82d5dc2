import { endOfCourse } from './course.js';
import { matchRemovals, uniqueRemovals, type ExtraDose, type Removal } from './match.js';
import { durationOf, SCHEDULE_LIMITS, type AsNeededSchedule, type ScheduleVersion } from './schedule.js';
import { type UnmonitoredPeriod, removalIn } from './periods.js';
import { DAY_MS } from '../time/durations.js';
import { slotsBetween } from './slots.js';

/** The pills of an as-needed schedule in the last 24 hours. */
export interface AsNeededCount {
  /** 24 h before the moment that is asked for. */
  since: Date;
  pills_taken: number;
  /** Whole doses in `pills_taken`. */
  doses: number;
  /** The limit: `max_per_day * pills_per_dose`. */
  max_pills: number;
  /** Pills over `max_pills`. */
  extra_pills: number;
}

/** A version of an as-needed schedule. */
export type AsNeededVersion = ScheduleVersion & { schedule: AsNeededSchedule };

export function isAsNeeded(version: ScheduleVersion): version is AsNeededVersion {
  return version.schedule.kind === 'as_needed';
}

/** The effective version at an instant; undefined before the first, and while the bottle is not in use. */
export function versionAt(versions: readonly ScheduleVersion[], at: Date): ScheduleVersion | undefined {
  const last = versions.reduce<ScheduleVersion | undefined>((held, version) => {
    const holds = version.effective_from <= at && (!held || version.effective_from >= held.effective_from);
    return holds ? version : held;
  }, undefined);
  return last?.ends_at && last.ends_at <= at ? undefined : last;
}

/** The effective version at an instant, if it is as needed and its course is not over. */
export function asNeededAt(versions: readonly ScheduleVersion[], at: Date): AsNeededVersion | undefined {
  const version = versionAt(versions, at);
  return version && isAsNeeded(version) && at.getTime() < endOfCourse(version) ? version : undefined;
}

/** What was prescribed and what was removed. */
interface Taken {
  versions: readonly ScheduleVersion[];
  periods: readonly UnmonitoredPeriod[];
  removals: readonly Removal[];
}

/** Counts the pills of an as-needed schedule that were removed in the 24 hours up to `at`, both ends included. */
export function countAsNeeded({ schedule }: AsNeededVersion, taken: Taken, at: Date): AsNeededCount {
  const since = new Date(at.getTime() - DAY_MS);
  const { max_per_day, pills_per_dose } = schedule;
  const max_pills = max_per_day * pills_per_dose;
  const pills_taken = pillsIn(spare(taken), since.getTime(), at.getTime());
  return {
    since,
    pills_taken,
    doses: Math.floor(pills_taken / pills_per_dose),
    max_pills,
    extra_pills: Math.max(0, pills_taken - max_pills),
  };
}

/**
 * The pills over the limits of an as-needed schedule: more than `max_per_day` doses in the 24 hours up to their removal
 * (both ends included; a calendar day would let twice as many pass around midnight, MedTimer#992), or more than one dose
 * within `min_interval` (exactly that long after the last dose is in time). Each removal is judged by the version that is
 * effective at its time, and counts, whichever version was effective then, what was removed before it. Order and
 * repetition of the removals change nothing.
 */
export function overLimits(taken: Taken): ExtraDose[] {
  const pills = spare(taken);
  return pills.flatMap((removed) => {
    const isExplained = removalIn(taken.periods, removed.time)?.isExtra === false;
    const version = isExplained ? undefined : asNeededAt(taken.versions, removed.time);
    return version ? (overLimit(removed, pills, version) ?? []) : [];
  });
}

function overLimit(
  { id, time, pills }: Removal,
  all: readonly Removal[],
  { schedule }: AsNeededVersion,
): ExtraDose | undefined {
  const { max_per_day, min_interval, pills_per_dose } = schedule;
  const at = time.getTime();
  // of removals at one moment the later one by id exceeds the limit
  const until = all.filter((other) => other.time < time || (other.time.getTime() === at && other.id <= id));
  const ofDay = pillsIn(until, at - DAY_MS, at) - max_per_day * pills_per_dose;
  if (ofDay > 0) return { removal_id: id, time, pills: Math.min(pills, ofDay), reason: 'over_daily_limit' };
  if (min_interval === undefined) return undefined;
  const apart = durationOf(min_interval, 'schedule.min_interval');
  const together = pillsIn(until, at - apart + 1, at) - pills_per_dose;
  return together > 0
    ? { removal_id: id, time, pills: Math.min(pills, together), reason: 'under_min_interval' }
    : undefined;
}

const pillsIn = (removals: readonly Removal[], from: number, to: number): number =>
  removals
    .filter(({ time }) => from <= time.getTime() && time.getTime() <= to)
    .reduce((sum, { pills }) => sum + pills, 0);

/**
 * The pills that no slot takes: outside every window, or beyond a whole dose while an as-needed schedule was in effect;
 * those taken in a pause, which are extra as they are, count like any others.
 */
function spare({ versions, periods, removals }: Taken): Removal[] {
  const unique = uniqueRemovals(removals);
  const first = unique[0]?.time.getTime();
  const last = unique.at(-1)?.time.getTime();
  if (first === undefined || last === undefined) return [];
  const from = new Date(first - SCHEDULE_LIMITS.missed_after_ms);
  const to = new Date(last + SCHEDULE_LIMITS.early_window_ms + 1);
  return matchRemovals(slotsBetween(versions, periods, from, to), unique)
    .extra.filter(({ reason, time }) => reason === 'outside_windows' || asNeededAt(versions, time))
    .map(({ removal_id, time, pills }) => ({ id: removal_id, time, pills }));
}
