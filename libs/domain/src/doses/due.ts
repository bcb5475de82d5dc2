import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from '../time/durations.js';
import { instantOf } from './local-day.js';
import {
  amountsByTime,
  DAYS_OF_WEEK,
  durationOf,
  type IntervalSchedule,
  type ScheduleVersion,
  type TimesOfDaySchedule,
} from './schedule.js';

/** One dose by the plan. Of two at one instant (DOSE-4) each is one of its own. */
export interface DueDose {
  /** Epoch milliseconds. */
  at: number;
  pills: number;
}

/** Epoch milliseconds, `[from, to)`. */
interface Range {
  from: number;
  to: number;
}

/** The doses of a version in a time, whenever it takes effect and however many it has; in no order. */
export function dosesDue({ schedule, time_zone }: ScheduleVersion, range: Range): DueDose[] {
  switch (schedule.kind) {
    case 'times_of_day':
      return dueByTheClock(schedule, time_zone, range);
    case 'interval':
      return dueByInterval(schedule, range);
    case 'as_needed':
      return [];
  }
}

/**
 * Days are counted from 1970-01-01. A local day may be the day before or after the UTC day, and a time in a clock change
 * at the end of a day falls on the next: a few extra days cost less than asking for the zone's offset.
 */
function dueByTheClock(schedule: TimesOfDaySchedule, timeZone: string, { from, to }: Range): DueDose[] {
  const due: DueDose[] = [];
  const amounts = amountsByTime(schedule);
  const last = Math.min(Math.floor(to / DAY_MS) + 1, lastDay(schedule));
  for (let day = Math.floor(from / DAY_MS) - 2; day <= last; day += 1) {
    if (!isDosingDay(schedule, day)) continue;
    for (const [time, pills] of amounts) {
      const at = instantOf(day, time, timeZone);
      if (at !== undefined && from <= at && at < to) due.push({ at, pills });
    }
  }
  return due;
}

const lastDay = ({ until }: TimesOfDaySchedule): number =>
  until === undefined ? Infinity : Date.parse(until) / DAY_MS;

/** Whether doses are due on a local day, counted from 1970-01-01, of a course without an end. */
export function isDosingDay(schedule: TimesOfDaySchedule, day: number): boolean {
  const { days_of_week, days_of_month, cycle } = schedule;
  // day 0 was a Thursday
  const dayOfWeek = DAYS_OF_WEEK[(((day + 3) % 7) + 7) % 7];
  if (days_of_week && !(dayOfWeek && days_of_week.includes(dayOfWeek))) return false;
  if (days_of_month && !isDayOfMonth(days_of_month, day)) return false;
  if (!cycle) return true;
  const since = day - Date.parse(cycle.anchor) / DAY_MS;
  return since >= 0 && since % (cycle.days_on + cycle.days_off) < cycle.days_on;
}

/** A day that a month does not have is its last one. */
function isDayOfMonth(days: readonly number[], day: number): boolean {
  const date = new Date(day * DAY_MS).getUTCDate();
  const isLast = new Date((day + 1) * DAY_MS).getUTCDate() === 1;
  return days.some((each) => each === date || (isLast && each > date));
}

function dueByInterval(schedule: IntervalSchedule, { from, to }: Range): DueDose[] {
  const every = durationOf(schedule.every, 'schedule.every');
  const anchor = Temporal.Instant.from(schedule.anchor).epochMilliseconds;
  const due: DueDose[] = [];
  for (let at = anchor + Math.max(0, Math.ceil((from - anchor) / every)) * every; at < to; at += every) {
    due.push({ at, pills: schedule.pills_per_dose });
  }
  return due;
}
