import { localDateAt } from './local-day.js';
import { matchRemovals, uniqueRemovals, type ExtraDose, type Removal } from './match.js';
import { SCHEDULE_LIMITS, type AsNeededSchedule, type Pause, type ScheduleVersion } from './schedule.js';
import { slotsBetween } from './slots.js';

/** The pills of one local day of an as-needed schedule. */
export interface AsNeededDay {
  /** `YYYY-MM-DD` in the version's zone. */
  local_date: string;
  pills_taken: number;
  /** Whole doses in `pills_taken`. */
  doses: number;
  /** The day's limit: `max_per_day * pills_per_dose`. */
  max_pills: number;
  /** Pills over `max_pills`. */
  extra_pills: number;
}

export interface AsNeededResult {
  /** Days with at least one removal, in order. */
  days: AsNeededDay[];
  extra: ExtraDose[];
}

/** A version of an as-needed schedule. */
export type AsNeededVersion = ScheduleVersion & { schedule: AsNeededSchedule };

export function isAsNeeded(version: ScheduleVersion): version is AsNeededVersion {
  return version.schedule.kind === 'as_needed';
}

/**
 * Counts the pills of each local day of an as-needed schedule, and those over the day's limit. Every removal counts for
 * its day, but only removals at or after the version's `effective_from` are extra: a new version does not change the
 * past. Order and repetition of the removals change nothing.
 */
export function judgeAsNeeded({
  version,
  removals,
}: {
  version: AsNeededVersion;
  removals: readonly Removal[];
}): AsNeededResult {
  const { max_per_day, pills_per_dose } = version.schedule;
  const max_pills = max_per_day * pills_per_dose;
  const days = new Map<string, AsNeededDay>();
  const extra: ExtraDose[] = [];
  for (const { id, time, pills } of uniqueRemovals(removals)) {
    const local_date = localDateAt(time.getTime(), version.time_zone).toString();
    const before = days.get(local_date)?.pills_taken ?? 0;
    const pills_taken = before + pills;
    const extra_pills = Math.max(0, pills_taken - max_pills);
    days.set(local_date, {
      local_date,
      pills_taken,
      doses: Math.floor(pills_taken / pills_per_dose),
      max_pills,
      extra_pills,
    });
    const over = Math.min(pills, extra_pills);
    if (over > 0 && time >= version.effective_from) {
      extra.push({ removal_id: id, time, pills: over, reason: 'over_daily_limit' });
    }
  }
  return { days: [...days.values()], extra };
}

/**
 * Every extra pill of a bottle, for all kinds of schedules: pills that match no slot, and pills over the limit of an
 * as-needed day. Pills outside all windows are judged by the version that is effective at their time; before the first
 * version nothing is extra. Pass the removals from a `chainStart` on, and for as-needed schedules from the start of the
 * local day.
 */
export function extraDoses({
  versions,
  pauses,
  removals,
}: {
  versions: readonly ScheduleVersion[];
  pauses: readonly Pause[];
  removals: readonly Removal[];
}): ExtraDose[] {
  const unique = uniqueRemovals(removals);
  const first = unique[0]?.time.getTime();
  const last = unique.at(-1)?.time.getTime();
  if (first === undefined || last === undefined) return [];
  const from = new Date(first - SCHEDULE_LIMITS.missed_after_ms);
  const to = new Date(last + SCHEDULE_LIMITS.early_window_ms + 1);
  const left = matchRemovals(slotsBetween(versions, pauses, from, to), unique).extra;
  const asNeeded = versions.filter(isAsNeeded);
  const scheduled = left.filter((extra) => {
    const version = versionAt(versions, extra.time);
    return extra.reason === 'beyond_dose' || (version !== undefined && !isAsNeeded(version));
  });
  const spare = left.filter(({ reason }) => reason === 'outside_windows').map(asRemoval);
  const overLimit = asNeeded.flatMap((version) =>
    judgeAsNeeded({ version, removals: spare }).extra.filter(
      ({ time }) => versionAt(versions, time) === version,
    ),
  );
  return [...scheduled, ...overLimit].sort((a, b) => a.time.getTime() - b.time.getTime());
}

/** The effective version at an instant; undefined before the first. */
export function versionAt(versions: readonly ScheduleVersion[], at: Date): ScheduleVersion | undefined {
  return versions.reduce<ScheduleVersion | undefined>((held, version) => {
    const holds = version.effective_from <= at && (!held || version.effective_from >= held.effective_from);
    return holds ? version : held;
  }, undefined);
}

function asRemoval({ removal_id, time, pills }: ExtraDose): Removal {
  return { id: removal_id, time, pills };
}
