import fc from 'fast-check';
import { parseSchedule } from './parse-schedule.js';
import type { Removal } from './match.js';
import type { Schedule, ScheduleVersion } from './schedule.js';
import type { Slot } from './slots.js';

/** An instant from text, for specs. */
export const at = (iso: string) => new Date(iso);

/** A version holding from the year 2000 on, for specs. */
export function version(
  schedule: object,
  time_zone = 'UTC',
  effective_from = '2000-01-01T00:00Z',
): ScheduleVersion {
  return { effective_from: at(effective_from), time_zone, schedule: parseSchedule(schedule) };
}

/** A times-of-day schedule with its defaults, for specs. */
export const daily = (times: unknown[], more: object = {}): Schedule =>
  parseSchedule({ kind: 'times_of_day', times, ...more });

export const removal = (id: string, time: string, pills = 1): Removal => ({ id, time: at(time), pills });

export const instants = (slots: readonly Slot[]) => slots.map((slot) => slot.scheduled_at.toISOString());

/** Zones with every kind of clock change that edge-cases.md knows. */
export const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'America/Nuuk',
];

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);

const windows = fc
  .record({
    early: fc.integer({ min: 0, max: 1440 }),
    late: fc.integer({ min: 0, max: 600 }),
    missed: fc.integer({ min: 1, max: 900 }),
  })
  .map(({ early, late, missed }) => ({
    early_window: `${early}m`,
    late_after: `${late}m`,
    missed_after: `${late + missed}m`,
  }));

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const quarters = fc.integer({ min: 1, max: 8 }).map((count) => count / 4);

const course = {
  until: optional(fc.constantFrom('2011-12-29', '2011-12-30', '2012-01-02')),
  doses: optional(fc.integer({ min: 1, max: 20 })),
};

const own = fc
  .oneof(
    fc.record({
      kind: fc.constant('times_of_day' as const),
      times: fc.array(fc.oneof(time, fc.record({ at: time, pills: quarters })), {
        minLength: 1,
        maxLength: 5,
      }),
      days_of_month: optional(
        fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 20 }),
      ),
      ...course,
      days_of_week: optional(
        fc.uniqueArray(fc.constantFrom('mon', 'tue', 'thu', 'fri', 'sun'), { minLength: 1 }),
      ),
      cycle: optional(
        fc.record({
          days_on: fc.integer({ min: 1, max: 9 }),
          days_off: fc.integer({ min: 1, max: 9 }),
          anchor: fc.constantFrom('2011-12-01', '2011-12-30'),
        }),
      ),
    }),
    fc.record({
      kind: fc.constant('interval' as const),
      every: fc.integer({ min: 60, max: 3000 }).map((minutes) => `${minutes}m`),
      anchor: fc.constant('2011-12-20T06:00:00Z'),
      ...course,
    }),
  )
  .map(({ until, ...schedule }) => (schedule.doses === undefined ? { ...schedule, until } : schedule));

/** Schedules with slots, as `parseSchedule` returns them. */
export const schedules = fc
  .tuple(own, windows, quarters)
  .map(([kind, window, pills_per_dose]) =>
    parseSchedule(JSON.parse(JSON.stringify({ ...kind, ...window, pills_per_dose }))),
  );

const START = Date.parse('2011-12-25T00:00Z');

/** Moments of ten days around the day that Samoa skipped, to the minute. */
export const moments = fc
  .integer({ min: 0, max: 10 * 1440 })
  .map((minutes) => new Date(START + minutes * 60_000));

export const removals = fc.uniqueArray(fc.record({ id: fc.uuid(), time: moments, pills: quarters }), {
  maxLength: 40,
  selector: ({ id }) => id,
});

/** The same items in another order, some of them repeated. */
export function rearranged<T>(items: readonly T[], seed: number): T[] {
  const doubled = [...items, ...items.filter((_, index) => (index + seed) % 3 === 0)];
  return doubled
    .map((item, index) => ({ item, key: ((index + 1) * (seed * 2 + 7919)) % 104_729 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
