import {
  readDate,
  readInstant,
  readInteger,
  readList,
  readObject,
  readPills,
  readSet,
  readTimeZone,
  type Fields,
} from './reader.js';
import {
  DAYS_OF_WEEK,
  durationOf,
  SCHEDULE_DEFAULTS,
  SCHEDULE_LIMITS as LIMITS,
  ScheduleError,
  windowsOf,
  type Cycle,
  type DayOfWeek,
  type Schedule,
  type ScheduleCommon,
  type TimedAmount,
} from './schedule.js';

const COMMON = [
  'kind',
  'pills_per_dose',
  'early_window',
  'late_after',
  'missed_after',
  'time_zone',
  'effective_from',
  'until',
] as const;

const OWN_FIELDS: Record<Schedule['kind'], readonly string[]> = {
  times_of_day: ['times', 'days_of_week', 'days_of_month', 'cycle', 'doses'],
  interval: ['every', 'anchor', 'doses'],
  as_needed: ['max_per_day', 'min_interval'],
};

/**
 * Checks a schedule given as JSON (issue 5, "Doses") and fills in the defaults.
 *
 * @returns the form to store: the fields as given, durations still text; parsing it again returns the same
 * @throws ScheduleError naming the first field that is wrong; a field that is not known is refused by name
 */
export function parseSchedule(input: unknown): Schedule {
  const kind = readKind(input);
  const fields = readObject(input, 'schedule', [...COMMON, ...OWN_FIELDS[kind]]);
  const common = readCommon(fields);
  switch (kind) {
    case 'times_of_day':
      return { kind, ...readTimesOfDay(fields), ...common };
    case 'interval':
      return { kind, ...readInterval(fields), ...common };
    case 'as_needed':
      return { kind, ...readLimits(fields), ...common };
  }
}

function readKind(input: unknown): Schedule['kind'] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ScheduleError('schedule', 'must be an object');
  }
  const kind = (input as Fields)['kind'];
  if (typeof kind !== 'string' || !Object.hasOwn(OWN_FIELDS, kind)) {
    throw new ScheduleError('schedule.kind', `must be one of ${Object.keys(OWN_FIELDS).join(', ')}`);
  }
  return kind as Schedule['kind'];
}

function readTimesOfDay({ times, days_of_week, days_of_month, cycle, ...course }: Fields) {
  return {
    times: readList(times, 'schedule.times', LIMITS.times, readTime),
    ...(days_of_week !== undefined && {
      days_of_week: readSet(days_of_week, 'schedule.days_of_week', DAYS_OF_WEEK.length, readDayOfWeek),
    }),
    ...(days_of_month !== undefined && {
      days_of_month: readSet(days_of_month, 'schedule.days_of_month', LIMITS.days_of_month, readDayOfMonth),
    }),
    ...(cycle !== undefined && { cycle: readCycle(cycle) }),
    ...readCourse(course),
  };
}

/** `08:00`, or the same with its own amount. */
function readTime(value: unknown, field: string): string | TimedAmount {
  if (typeof value !== 'object' || value === null) return readTimeText(value, field);
  const { at, pills } = readObject(value, field, ['at', 'pills']);
  return {
    at: readTimeText(at, `${field}.at`),
    pills: readPills(pills, `${field}.pills`, LIMITS.pills_per_dose),
  };
}

function readTimeText(value: unknown, field: string): string {
  if (typeof value !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d$/.test(value))
    throw new ScheduleError(field, 'must be a time such as "08:00"');
  return value;
}

function readDayOfWeek(value: unknown, field: string): DayOfWeek {
  const day = DAYS_OF_WEEK.find((each) => each === value);
  if (day === undefined) throw new ScheduleError(field, `must be one of ${DAYS_OF_WEEK.join(', ')}`);
  return day;
}

const readDayOfMonth = (value: unknown, field: string): number => readInteger(value, field, 1, 31);

function readCourse({ doses, until }: Fields): { doses?: number } {
  if (doses === undefined) return {};
  if (until !== undefined) throw new ScheduleError('schedule.doses', 'cannot be given with until');
  return { doses: readInteger(doses, 'schedule.doses', 1, LIMITS.doses) };
}

function readCycle(value: unknown): Cycle {
  const cycle = readObject(value, 'schedule.cycle', ['days_on', 'days_off', 'anchor']);
  return {
    days_on: readInteger(cycle['days_on'], 'schedule.cycle.days_on', 1, LIMITS.cycle_days),
    days_off: readInteger(cycle['days_off'], 'schedule.cycle.days_off', 1, LIMITS.cycle_days),
    anchor: readDate(cycle['anchor'], 'schedule.cycle.anchor'),
  };
}

function readInterval({ every, anchor, ...course }: Fields) {
  const ms = durationOf(every, 'schedule.every');
  if (ms < LIMITS.every_min_ms || ms > LIMITS.every_max_ms) {
    throw new ScheduleError('schedule.every', 'must be from 1h to 366d');
  }
  return {
    every: every as string,
    anchor: readInstant(anchor, 'schedule.anchor'),
    ...readCourse(course),
  };
}

function readLimits({ max_per_day, min_interval }: Fields) {
  if (min_interval !== undefined) {
    const ms = durationOf(min_interval, 'schedule.min_interval');
    if (ms < LIMITS.min_interval_min_ms || ms > LIMITS.min_interval_max_ms)
      throw new ScheduleError('schedule.min_interval', 'must be from 1m to 24h');
  }
  return {
    max_per_day: readInteger(max_per_day, 'schedule.max_per_day', 1, LIMITS.max_per_day),
    ...(min_interval !== undefined && { min_interval: min_interval as string }),
  };
}

function readCommon(fields: Fields): ScheduleCommon {
  const {
    pills_per_dose = SCHEDULE_DEFAULTS.pills_per_dose,
    early_window = SCHEDULE_DEFAULTS.early_window,
    late_after = SCHEDULE_DEFAULTS.late_after,
    missed_after = SCHEDULE_DEFAULTS.missed_after,
    time_zone,
    effective_from,
    until,
  } = fields;
  const common = { early_window, late_after, missed_after } as ScheduleCommon;
  checkWindows(common);
  return {
    ...common,
    pills_per_dose: readPills(pills_per_dose, 'schedule.pills_per_dose', LIMITS.pills_per_dose),
    ...(time_zone !== undefined && { time_zone: readTimeZone(time_zone, 'schedule.time_zone') }),
    ...(effective_from !== undefined && {
      effective_from: readInstant(effective_from, 'schedule.effective_from'),
    }),
    ...(until !== undefined && { until: readDate(until, 'schedule.until') }),
  };
}

function checkWindows(common: ScheduleCommon): void {
  const { early_ms, late_ms, missed_ms } = windowsOf(common);
  if (early_ms > LIMITS.early_window_ms)
    throw new ScheduleError('schedule.early_window', 'must be at most 24h');
  if (missed_ms > LIMITS.missed_after_ms)
    throw new ScheduleError('schedule.missed_after', 'must be at most 7d');
  if (late_ms >= missed_ms) throw new ScheduleError('schedule.late_after', 'must be less than missed_after');
}
