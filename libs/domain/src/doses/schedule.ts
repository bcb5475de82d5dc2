import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/durations.js';

const UNITS = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/**
 * Reads a duration such as `"90m"`, `"2h"` or `"1d"`: one whole number and one of `ms s m h d`.
 *
 * @returns milliseconds (`1d` is 24 hours of elapsed time), or undefined for any other text
 */
export function parseDuration(text: unknown): number | undefined {
  const found = typeof text === 'string' ? /^(\d{1,12})(ms|s|m|h|d)$/.exec(text) : null;
  return found ? Number(found[1]) * UNITS[found[2] as keyof typeof UNITS] : undefined;
}

/** Days of the week as written in a schedule, in the order of ISO 8601 (Monday is day 1). */
export const DAYS_OF_WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

/** Values for what a schedule leaves out. */
export const SCHEDULE_DEFAULTS = {
  pills_per_dose: 1,
  early_window: '2h',
  late_after: '1h',
  missed_after: '4h',
} as const;

/** The fields of every kind of schedule, as stored and as in the API; durations stay text. */
export interface ScheduleCommon {
  /** Pills that make one dose where a time does not say its own: a multiple of a quarter, at least 0.25. */
  pills_per_dose: number;
  /** How long before the slot a removal counts. At most 24h. */
  early_window: string;
  /** How long after the slot the dose is late. Less than `missed_after`. */
  late_after: string;
  /** How long after the slot the dose is missed. At most 7d. */
  missed_after: string;
  /** IANA name; when absent, the bottle's own zone. */
  time_zone?: string;
  /** ISO 8601 instant with `Z` or an offset; when absent, the time at which the schedule is saved. */
  effective_from?: string;
  /** `YYYY-MM-DD`, the last day of the course in the schedule's zone; when absent, it has no last day. */
  until?: string;
}

/** N days on and M off, counted in calendar days of the schedule's zone; nothing is due before `anchor`. */
export interface Cycle {
  days_on: number;
  days_off: number;
  /** `YYYY-MM-DD`, the first day on. */
  anchor: string;
}

/** A time of day with its own amount. */
export interface TimedAmount {
  /** `HH:MM`. */
  at: string;
  /** A multiple of a quarter, at least 0.25. */
  pills: number;
}

/** What ends a schedule with slots: a last day, or a number of doses. */
interface Course {
  /** How many doses there are from `effective_from` on; never together with `until`. */
  doses?: number;
}

/** Wall-clock times in the schedule's zone, on every day or on the days that all filters allow. */
export interface TimesOfDaySchedule extends ScheduleCommon, Course {
  kind: 'times_of_day';
  /** Text such as `08:00` stands for `pills_per_dose` at that time. The same time twice adds up. */
  times: (string | TimedAmount)[];
  days_of_week?: DayOfWeek[];
  /** 1 to 31; in a month without the day, its last day. */
  days_of_month?: number[];
  cycle?: Cycle;
}

/** Every N hours of elapsed time, from the anchor on; clock changes do not move it. */
export interface IntervalSchedule extends ScheduleCommon, Course {
  kind: 'interval';
  /** A duration from 1h to 366d. */
  every: string;
  /** ISO 8601 instant with `Z` or an offset. */
  anchor: string;
}

/** No slots, only limits; the windows do not apply. */
export interface AsNeededSchedule extends ScheduleCommon {
  kind: 'as_needed';
  /** Doses in any 24 hours. */
  max_per_day: number;
  /** The shortest time between two doses: a duration from 1m to 24h. */
  min_interval?: string;
}

/** A schedule as `parseSchedule` returns it and as it is stored: plain JSON with the defaults filled in. */
export type Schedule = TimesOfDaySchedule | IntervalSchedule | AsNeededSchedule;

/**
 * A schedule and the time from which it is effective. A slot belongs to the version with the greatest
 * `effective_from` that is not after it, so that an edit never changes what was due before it
 * (medassist-ng PR#79, calendula#160). Of two versions with the same `effective_from`, the later in the list applies.
 */
export interface ScheduleVersion {
  effective_from: Date;
  /** IANA name in which wall-clock times and local days are read. */
  time_zone: string;
  schedule: Schedule;
  /** From this instant on it applies no more, though no other takes its place: the bottle left use. */
  ends_at?: Date;
}

/** An invalid schedule or period; `field` is a path such as `schedule.times[0]`. */
export class ScheduleError extends Error {
  readonly code = 'invalid_schedule';

  constructor(
    readonly field: string,
    problem: string,
  ) {
    super(`${field}: ${problem}`);
    this.name = 'ScheduleError';
  }
}

/** A schedule's windows around a slot, in milliseconds. */
export interface Windows {
  early_ms: number;
  late_ms: number;
  missed_ms: number;
}

/**
 * The windows of a schedule as numbers.
 *
 * @throws ScheduleError on an invalid duration, which `parseSchedule` never returns
 */
export function windowsOf(schedule: ScheduleCommon): Windows {
  return {
    early_ms: durationOf(schedule.early_window, 'schedule.early_window'),
    late_ms: durationOf(schedule.late_after, 'schedule.late_after'),
    missed_ms: durationOf(schedule.missed_after, 'schedule.missed_after'),
  };
}

/** The pills of each time of day, in order of time: what one time has twice adds up. */
export function amountsByTime({
  times,
  pills_per_dose,
}: TimesOfDaySchedule): [time: string, pills: number][] {
  const amounts = new Map<string, number>();
  for (const time of times) {
    const { at, pills } = typeof time === 'string' ? { at: time, pills: pills_per_dose } : time;
    amounts.set(at, (amounts.get(at) ?? 0) + pills);
  }
  return [...amounts].sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * A duration field in milliseconds.
 *
 * @throws ScheduleError naming `field` if the text is not a duration
 */
export function durationOf(text: unknown, field: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new ScheduleError(field, 'must be a duration such as "2h" or "90m"');
  return ms;
}

/** The bounds that the parser enforces; they also bound any search around a removal. */
export const SCHEDULE_LIMITS = {
  times: 24,
  early_window_ms: 24 * HOUR_MS,
  missed_after_ms: 7 * 24 * HOUR_MS,
  every_min_ms: HOUR_MS,
  every_max_ms: 366 * 24 * HOUR_MS,
  pills_per_dose: 100,
  doses: 1_000,
  days_of_month: 31,
  max_per_day: 100,
  cycle_days: 366,
  min_interval_min_ms: UNITS.m,
  min_interval_max_ms: 24 * HOUR_MS,
} as const;
