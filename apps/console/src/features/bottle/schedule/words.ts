import { DAYS_OF_WEEK, type Schedule } from '../../../api/types/schedule.js';
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
export function scheduleWords(schedule: Schedule, zone: string, present: number): string {
  const pills = pillWords(schedule.pills_per_dose ?? 1);
  switch (schedule.kind) {
    case 'times_of_day':
      return `${pills} at ${listed(schedule.times ?? [])}, ${dayWords(schedule)}`;
    case 'interval':
      return `${pills} every ${spanWords(schedule.every ?? '')}, counted from ${dayAndTime(Date.parse(schedule.anchor ?? ''), zone, present)}`;
    case 'as_needed':
      return `${pills} as needed, at most ${schedule.max_per_day} ${schedule.max_per_day === 1 ? 'dose' : 'doses'} a day`;
  }
}

/** The windows around each dose. */
export function windowWords({
  early_window = '2h',
  late_after = '1h',
  missed_after = '4h',
}: Schedule): string {
  return `A dose counts from ${spanWords(early_window)} before its time. After ${spanWords(late_after)} it is late and an alert goes out; after ${spanWords(missed_after)} it is missed.`;
}

function dayWords({ days_of_week: days, cycle }: Schedule): string {
  const named =
    days === undefined || days.length === 7
      ? 'every day'
      : listed(DAYS_OF_WEEK.filter((day) => days.includes(day)).map((day) => DAY_WORDS[day]));
  return cycle === undefined
    ? named
    : `${named}, ${cycle.days_on} days on and ${cycle.days_off} off from ${cycle.anchor}`;
}

export function pillWords(count: number): string {
  return count === 1 ? '1 pill' : `${count} pills`;
}

const UNITS: Record<string, string> = { ms: 'ms', s: 's', m: 'min', h: 'h', d: 'days' };

/** `90m` is written `90 min`. */
export function spanWords(duration: string): string {
  const [, number, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  if (number === undefined || unit === undefined) return duration;
  return unit === 'd' && number === '1' ? '1 day' : `${number} ${UNITS[unit]}`;
}

export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
