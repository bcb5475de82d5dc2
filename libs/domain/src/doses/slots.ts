import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from './duration.js';
import { instantOf } from './local-day.js';
import {
  DAYS_OF_WEEK,
  durationOf,
  windowsOf,
  type IntervalSchedule,
  type Pause,
  type ScheduleVersion,
  type TimesOfDaySchedule,
  type Windows,
} from './schedule.js';
import { activeSpans, type Span } from './spans.js';

/** One dose that is due, named by its instant: a dose after midnight is not the next day's (MedTimer#181). */
export interface Slot {
  scheduled_at: Date;
  /** Removals count from here, included. */
  early_from: Date;
  /** On time up to here, included. */
  late_at: Date;
  /** Late up to here, included; after it nothing counts. */
  missed_at: Date;
  /** Pills that make the dose. */
  pills: number;
}

const SEARCH_DAYS = 400;

/**
 * The slots with `from <= scheduled_at < to`, in order, each instant once. Work grows with the local days of the
 * range that are neither paused nor left out by days of week or cycle.
 */
export function slotsBetween(
  versions: readonly ScheduleVersion[],
  pauses: readonly Pause[],
  from: Date,
  to: Date,
): Slot[] {
  const slots = new Map<number, Slot>();
  for (const span of activeSpans(versions, pauses, from.getTime(), to.getTime())) {
    const due = dueInstants(span).filter((at) => at >= span.from && at < span.to);
    if (due.length === 0) continue;
    const { schedule } = span.version;
    const windows = windowsOf(schedule);
    for (const at of due) slots.set(at, slotAt(at, windows, schedule.pills_per_dose));
  }
  return [...slots.values()].sort((a, b) => a.scheduled_at.getTime() - b.scheduled_at.getTime());
}

/** The first slot strictly after `after`, looking ahead 400 days of 24 hours; undefined when there is none. */
export function nextSlotAfter(
  versions: readonly ScheduleVersion[],
  pauses: readonly Pause[],
  after: Date,
): Slot | undefined {
  const start = after.getTime() + 1;
  const end = start + SEARCH_DAYS * DAY_MS;
  for (let from = start, days = 2; from < end; days *= 2) {
    const to = Math.min(from + days * DAY_MS, end);
    const [first] = slotsBetween(versions, pauses, new Date(from), new Date(to));
    if (first) return first;
    from = to;
  }
  return undefined;
}

function slotAt(at: number, { early_ms, late_ms, missed_ms }: Windows, pills: number): Slot {
  return {
    scheduled_at: new Date(at),
    early_from: new Date(at - early_ms),
    late_at: new Date(at + late_ms),
    missed_at: new Date(at + missed_ms),
    pills,
  };
}

/** Everything due in a span and perhaps a little beyond its ends, in no order. */
function dueInstants(span: Span): number[] {
  const { schedule, time_zone } = span.version;
  switch (schedule.kind) {
    case 'times_of_day':
      return dueByTheClock(schedule, time_zone, span);
    case 'interval':
      return dueByInterval(schedule, span);
    case 'as_needed':
      return [];
  }
}

/**
 * Days are counted from 1970-01-01. The local day is that of UTC, the one before or the one after, and a time in
 * a gap at the end of a day falls on the next: a few days more than needed cost less than asking the zone.
 */
function dueByTheClock(schedule: TimesOfDaySchedule, timeZone: string, { from, to }: Span): number[] {
  const due: number[] = [];
  const last = Math.floor(to / DAY_MS) + 1;
  for (let day = Math.floor(from / DAY_MS) - 2; day <= last; day += 1) {
    if (!isDosingDay(schedule, day)) continue;
    for (const time of schedule.times) {
      const at = instantOf(day, time, timeZone);
      if (at !== undefined) due.push(at);
    }
  }
  return due;
}

function isDosingDay({ days_of_week, cycle }: TimesOfDaySchedule, day: number): boolean {
  // day 0 was a Thursday
  const dayOfWeek = DAYS_OF_WEEK[(((day + 3) % 7) + 7) % 7];
  if (days_of_week && !(dayOfWeek && days_of_week.includes(dayOfWeek))) return false;
  if (!cycle) return true;
  const since = day - Date.parse(cycle.anchor) / DAY_MS;
  return since >= 0 && since % (cycle.days_on + cycle.days_off) < cycle.days_on;
}

function dueByInterval(schedule: IntervalSchedule, { from, to }: Span): number[] {
  const every = durationOf(schedule.every, 'schedule.every');
  const anchor = Temporal.Instant.from(schedule.anchor).epochMilliseconds;
  const due: number[] = [];
  for (let at = anchor + Math.max(0, Math.ceil((from - anchor) / every)) * every; at < to; at += every) {
    due.push(at);
  }
  return due;
}
