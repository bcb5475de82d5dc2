import type { AsNeeded, TimesOfDay } from '../../../api/schema.js';
import { type DayOfWeek, DAYS_OF_WEEK, type Schedule, type ScheduleFields } from '../../../api/vocabulary.js';
import { dayAndTime, dayOnly, daysText, wallTime, weekdayNames } from '../../../time/format.js';
import { t, joinList } from '../../../i18n/i18n.js';
import { amountText, pluralOf } from '../../../i18n/pills.js';

const FROM_SUNDAY = weekdayNames('short');

export const DAY_NAMES = Object.fromEntries(
  DAYS_OF_WEEK.map((day, index) => [day, FROM_SUNDAY[(index + 1) % 7]!]),
) as Record<DayOfWeek, string>;

function asNeededText({ max_per_day: count, min_interval }: AsNeeded, pills: string): string {
  return min_interval === undefined
    ? t('{{pills}} as needed, up to {{count, number}} doses in 24 hours', { pills, count })
    : t('{{pills}} as needed, up to {{count, number}} doses in 24 hours, at least {{span}} apart', {
        pills,
        count,
        span: durationText(min_interval),
      });
}

/** A schedule in words: `1 pill at 08:00 and 20:00, every day`. */
export function scheduleText(schedule: Schedule, zone: string, present: number): string {
  return `${dosesText(schedule, zone, present)}${endText(schedule, present)}`;
}

function dosesText(schedule: Schedule, zone: string, present: number): string {
  const pills = pillsText(schedule.pills_per_dose ?? 1);
  switch (schedule.kind) {
    case 'times_of_day':
      return timesText(schedule, present);
    case 'interval':
      return t('{{pills}} every {{span}}, starting {{time}}', {
        pills,
        span: durationText(schedule.every),
        time: dayAndTime(Date.parse(schedule.anchor), zone, present),
      });
    case 'as_needed':
      return asNeededText(schedule, pills);
  }
}

const pillsText = (pills: number): string =>
  t('{{pills}} pills', { count: pluralOf(pills), pills: amountText(pills) });

/** `2 pills at 08:00 and 1 pill at 20:00, every day`; what is the same at all times is there once. */
function timesText(schedule: TimesOfDay, present: number): string {
  const amounts = amountsByTime(schedule);
  const [first] = amounts.values();
  const days = daysOfWeekText(schedule, present);
  if (first !== undefined && [...amounts.values()].every((pills) => pills === first))
    return t('{{pills}} at {{times}}, {{days}}', {
      pills: pillsText(first),
      times: joinList([...amounts.keys()].map(wallTime)),
      days,
    });
  const doses = [...amounts].map(([time, pills]) =>
    t('{{pills}} at {{time}}', { pills: pillsText(pills), time: wallTime(time) }),
  );
  return t('{{doses}}, {{days}}', { doses: joinList(doses), days });
}

/** The pills of each time, in order; the same time twice adds up. */
function amountsByTime({ times, pills_per_dose = 1 }: TimesOfDay): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const time of times) {
    const { at, pills } = typeof time === 'string' ? { at: time, pills: pills_per_dose } : time;
    amounts.set(at, (amounts.get(at) ?? 0) + pills);
  }
  return new Map([...amounts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function endText({ until, doses }: ScheduleFields, present: number): string {
  if (until !== undefined) return t(', ends on {{date}}', { date: dateText(until, present) });
  return doses === undefined ? '' : t(', ends after {{count, number}} doses', { count: doses });
}

/** The windows around each dose. */
export function windowText({
  early_window = '2h',
  late_after = '1h',
  missed_after = '4h',
}: Schedule): string {
  return t(
    'A dose can be taken up to {{early}} early. After {{late}} it is late and an alert is sent; after {{missed}} it is missed.',
    {
      early: durationText(early_window),
      late: durationText(late_after, 'dative'),
      missed: durationText(missed_after, 'dative'),
    },
  );
}

function daysOfWeekText({ days_of_week: days, days_of_month, cycle }: TimesOfDay, present: number): string {
  const ofWeek =
    days === undefined || days.length === 7
      ? undefined
      : joinList(DAYS_OF_WEEK.filter((day) => days.includes(day)).map((day) => DAY_NAMES[day]));
  const ofMonth =
    days_of_month === undefined
      ? undefined
      : t('on day {{days}} of the month', {
          days: joinList(days_of_month.toSorted((one, other) => one - other).map(String)),
        });
  const named = [ofWeek, ofMonth].filter((text) => text !== undefined).join(', ') || t('every day');
  return cycle === undefined
    ? named
    : t('{{days}}, {{on}} days on and {{off}} off from {{from}}', {
        days: named,
        on: cycle.days_on,
        off: cycle.days_off,
        from: dateText(cycle.anchor, present),
      });
}

/** `2026-03-10` as `Tue 10 Mar`. */
function dateText(date: string, present: number): string {
  return dayOnly(Date.parse(`${date}T12:00:00Z`), 'UTC', present);
}

const UNITS: Record<string, string> = { ms: 'ms', s: 's', m: 'min', h: 'h' };

/** `90m` as `90 min`. */
export function durationText(duration: string, context?: 'dative'): string {
  const [, number, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  if (number === undefined || unit === undefined) return duration;
  return unit === 'd' ? daysText(Number(number), context) : `${number} ${UNITS[unit]}`;
}
