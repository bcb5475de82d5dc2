import { type DayOfWeek, DAYS_OF_WEEK, type Schedule } from '../../../api/types.js';
import { dayAndTime } from '../../../time/format.js';
import { joinList, plural } from '../../../ui/text.js';

export const DAY_NAMES: Record<DayOfWeek, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
};

/** A schedule in words: `1 pill at 08:00 and 20:00, every day`. */
export function scheduleText(schedule: Schedule, zone: string, present: number): string {
  const pills = plural(schedule.pills_per_dose ?? 1, 'pill');
  switch (schedule.kind) {
    case 'times_of_day':
      return `${pills} at ${joinList(schedule.times ?? [])}, ${daysText(schedule)}`;
    case 'interval':
      return `${pills} every ${durationText(schedule.every ?? '')}, starting ${dayAndTime(Date.parse(schedule.anchor ?? ''), zone, present)}`;
    case 'as_needed':
      return `${pills} as needed, up to ${plural(schedule.max_per_day ?? 1, 'dose')} per day`;
  }
}

/** The windows around each dose. */
export function windowText({
  early_window = '2h',
  late_after = '1h',
  missed_after = '4h',
}: Schedule): string {
  return `A dose can be taken up to ${durationText(early_window)} early. After ${durationText(late_after)} it is late and an alert is sent; after ${durationText(missed_after)} it is missed.`;
}

function daysText({ days_of_week: days, cycle }: Schedule): string {
  const named =
    days === undefined || days.length === 7
      ? 'every day'
      : joinList(DAYS_OF_WEEK.filter((day) => days.includes(day)).map((day) => DAY_NAMES[day]));
  return cycle === undefined
    ? named
    : `${named}, ${cycle.days_on} days on and ${cycle.days_off} off from ${cycle.anchor}`;
}

const UNITS: Record<string, string> = { ms: 'ms', s: 's', m: 'min', h: 'h', d: 'days' };

/** `90m` as `90 min`. */
export function durationText(duration: string): string {
  const [, number, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  if (number === undefined || unit === undefined) return duration;
  return unit === 'd' && number === '1' ? '1 day' : `${number} ${UNITS[unit]}`;
}
