import { DAYS_OF_WEEK, type Schedule } from '../../../api/types.js';
import { dayAndTime } from '../../../time/format.js';

const DAY_WORDS = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
} as const;

/** A schedule for a person: `1 pill at 08:00 and 20:00, every day`. */
export function scheduleText(schedule: Schedule, zone: string, present: number): string {
  const pills = pillsText(schedule.pills_per_dose ?? 1);
  switch (schedule.kind) {
    case 'times_of_day':
      return `${pills} at ${joinList(schedule.times ?? [])}, ${dayWords(schedule)}`;
    case 'interval':
      return `${pills} every ${durationText(schedule.every ?? '')}, counted from ${dayAndTime(Date.parse(schedule.anchor ?? ''), zone, present)}`;
    case 'as_needed':
      return `${pills} as needed, at most ${schedule.max_per_day} ${schedule.max_per_day === 1 ? 'dose' : 'doses'} a day`;
  }
}

/** The windows around each dose. */
export function windowText({
  early_window = '2h',
  late_after = '1h',
  missed_after = '4h',
}: Schedule): string {
  return `A dose counts from ${durationText(early_window)} before its time. After ${durationText(late_after)} it is late and an alert goes out; after ${durationText(missed_after)} it is missed.`;
}

function dayWords({ days_of_week: days, cycle }: Schedule): string {
  const named =
    days === undefined || days.length === 7
      ? 'every day'
      : joinList(DAYS_OF_WEEK.filter((day) => days.includes(day)).map((day) => DAY_WORDS[day]));
  return cycle === undefined
    ? named
    : `${named}, ${cycle.days_on} days on and ${cycle.days_off} off from ${cycle.anchor}`;
}

export function pillsText(count: number): string {
  return count === 1 ? '1 pill' : `${count} pills`;
}

const UNITS: Record<string, string> = { ms: 'ms', s: 's', m: 'min', h: 'h', d: 'days' };

/** `90m` is written `90 min`. */
export function durationText(duration: string): string {
  const [, number, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  if (number === undefined || unit === undefined) return duration;
  return unit === 'd' && number === '1' ? '1 day' : `${number} ${UNITS[unit]}`;
}

export function joinList(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
