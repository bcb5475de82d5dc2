import { Temporal } from 'temporal-polyfill';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time/durations.js';
import { dosesDue } from './due.js';
import { localDateAt } from './local-day.js';
import { durationOf, type Schedule, ScheduleError, type ScheduleVersion } from './schedule.js';

/**
 * When the course of a version is over (DOSE-45): no dose is due from then on, and none may be taken as needed. Epoch
 * milliseconds; Infinity for a course without an end. What a clock change moves from the last day to the next is still
 * due.
 */
export function endOfCourse(version: ScheduleVersion): number {
  const { schedule, time_zone } = version;
  if ('doses' in schedule) return lastDoseOf(version) + 1;
  if (schedule.until === undefined) return Infinity;
  const ends = startOfDayAfter(schedule.until, time_zone);
  return schedule.kind === 'times_of_day' ? ends + MOST_MOVED_MS : ends;
}

/** A clock change moves no time of day further. */
const MOST_MOVED_MS = 3 * HOUR_MS;

function startOfDayAfter(date: string, timeZone: string): number {
  const after = Temporal.PlainDate.from(date).add({ days: 1 });
  return after.toZonedDateTime(timeZone).epochMilliseconds;
}

/** A fleet has few different courses, and each is counted from its beginning at every judgement. Cleared when full. */
const lastDoses = new Map<string, number>();
const MAX_CACHED = 5_000;

/** The instant of the last dose of a course of `doses`, which are counted from its beginning, paused or not. */
function lastDoseOf(version: ScheduleVersion): number {
  const key = JSON.stringify([version.effective_from, version.time_zone, version.schedule]);
  const known = lastDoses.get(key);
  if (known !== undefined) return known;
  if (lastDoses.size >= MAX_CACHED) lastDoses.clear();
  const last = countedFrom(version);
  lastDoses.set(key, last);
  return last;
}

function countedFrom(version: ScheduleVersion): number {
  let left = 'doses' in version.schedule ? version.schedule.doses! : 0;
  const begins = version.effective_from.getTime();
  const every = longestGap(version.schedule);
  for (let from = begins, span = left * every; span > 0; from += span, span *= 2) {
    const due = dosesDue(version, { from, to: from + span })
      .map(({ at }) => at)
      .sort((one, other) => one - other);
    if (due.length >= left) return due[left - 1]!;
    left -= due.length;
    if (from - begins > SEARCH_MS) return from + span;
  }
  return begins;
}

/** A course that has not all its doses by then is over all the same. */
const SEARCH_MS = 100 * 366 * DAY_MS;

/** How long to look ahead for each dose that is left. */
function longestGap(schedule: Schedule): number {
  return schedule.kind === 'interval' ? durationOf(schedule.every, 'schedule.every') : DAY_MS;
}

/** When the next step of a taper begins: on the day after the last, or right after the last dose. Undefined without an end. */
export function beginningAfter(version: ScheduleVersion): Date | undefined {
  if ('doses' in version.schedule) return new Date(lastDoseOf(version) + MINUTE_MS);
  const { until } = version.schedule;
  return until === undefined ? undefined : new Date(startOfDayAfter(until, version.time_zone));
}

/** How many doses of its course a version has had before an instant. */
export function dosesBefore(version: ScheduleVersion, at: Date): number {
  return dosesDue(version, { from: version.effective_from.getTime(), to: at.getTime() }).length;
}

/** How many doses of its course are due at an instant or later. Undefined for one without a number of doses. */
export function dosesLeft(version: ScheduleVersion, at: Date): number | undefined {
  if (!('doses' in version.schedule)) return undefined;
  return Math.max(0, version.schedule.doses! - dosesBefore(version, at));
}

/** @throws ScheduleError if its last day is before it takes effect */
export function checkCourse(version: ScheduleVersion): void {
  const { schedule, effective_from, time_zone } = version;
  const first = localDateAt(effective_from.getTime(), time_zone).toString();
  if (schedule.until !== undefined && schedule.until < first)
    throw new ScheduleError('schedule.until', `is before ${first}, on which the schedule takes effect`);
}

/** The schedule of a version as it goes on after an instant: with the doses that are left of its course. Undefined if none is. */
export function goingOn(version: ScheduleVersion, after: Date): Schedule | undefined {
  const { schedule } = version;
  if (!('doses' in schedule)) return schedule;
  const left = dosesLeft(version, after)!;
  return left > 0 ? { ...schedule, doses: left } : undefined;
}

/** A schedule whose course is over: its last day is the one before an instant in a zone, so nothing is due from then on. */
export function overBefore(at: Date, schedule: Schedule, timeZone: string): Schedule {
  const { doses: _, ...rest } = { doses: undefined, ...schedule };
  return { ...rest, until: localDateAt(at.getTime(), timeZone).subtract({ days: 1 }).toString() };
}

/** The version as if its course had no end. */
export function withoutEnd({ ends_at: _endsAt, schedule, ...version }: ScheduleVersion): ScheduleVersion {
  const endless: Schedule & { doses?: number } = { ...schedule };
  delete endless.until;
  delete endless.doses;
  return { ...version, schedule: endless };
}
