import { Temporal } from 'temporal-polyfill';

/** The calendar date at an instant in a zone. */
export function localDateAt(epochMs: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** A calendar day of a zone: the instants `from <= t < to`. It has 23 to 25 hours where clocks change. */
export interface LocalDay {
  /** `YYYY-MM-DD`. */
  local_date: string;
  from: Date;
  to: Date;
}

/** The calendar day that an instant is in. */
export function localDayAt(at: Date, timeZone: string): LocalDay {
  const date = localDateAt(at.getTime(), timeZone);
  const startOf = (day: Temporal.PlainDate): Date =>
    new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
  return { local_date: date.toString(), from: startOf(date), to: startOf(date.add({ days: 1 })) };
}

/**
 * A cache of conversions by zone and time, then by day: a fleet has few different ones, and a conversion costs about
 * 0.05 ms. Cleared when full.
 */
const cache = new Map<string, Map<number, number | undefined>>();
const MAX_CACHED = 20_000;
let size = 0;

/**
 * The instant of a wall-clock time. In a spring gap it moves forward by the gap, in an autumn overlap it is the
 * first of the two (Temporal's `compatible`; design.md section 7).
 *
 * @param day the calendar day, counted from 1970-01-01.
 * @returns epoch milliseconds, or undefined when the zone skipped the whole day (Pacific/Apia, 2011-12-30):
 * `compatible` would move its times onto the next day and give them a second time. A time that only moved past
 * midnight (23:30 in America/Nuuk on 2024-03-30) is kept.
 */
export function instantOf(day: number, time: string, timeZone: string): number | undefined {
  const key = `${time} ${timeZone}`;
  let days = cache.get(key);
  if (days?.has(day)) return days.get(day);
  if (size >= MAX_CACHED) {
    cache.clear();
    [size, days] = [0, undefined];
  }
  if (!days) cache.set(key, (days = new Map()));
  const instant = convert(day, time, timeZone);
  days.set(day, instant);
  size += 1;
  return instant;
}

function convert(day: number, time: string, timeZone: string): number | undefined {
  const date = new Temporal.PlainDate(1970, 1, 1).add({ days: day });
  const zoned = date
    .toPlainDateTime(Temporal.PlainTime.from(time))
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  const moved = !zoned.toPlainDate().equals(date);
  return moved && !dayExists(date, timeZone) ? undefined : zoned.epochMilliseconds;
}

function dayExists(date: Temporal.PlainDate, timeZone: string): boolean {
  return date.toZonedDateTime(timeZone).toPlainDate().equals(date);
}
