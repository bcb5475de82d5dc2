import { Temporal } from 'temporal-polyfill';

/** The calendar date at an instant in a zone. */
export function localDateAt(epochMs: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** A fleet shares few zones and times, and a conversion costs some 0.05 ms; emptied when full. */
const known = new Map<string, number | undefined>();
const MOST_KNOWN = 20_000;

/**
 * The instant of a wall-clock time. In a spring gap it moves forward by the gap, in an autumn overlap it is the
 * first of the two (Temporal's `compatible`; design.md section 7).
 *
 * @returns epoch milliseconds, or undefined when the zone skipped that whole day (Pacific/Apia, 2011-12-30):
 * `compatible` would move its times onto the next day and give them a second time. A time that only moved past
 * midnight (23:30 in America/Nuuk on 2024-03-30) is kept.
 */
export function instantOf(date: Temporal.PlainDate, time: string, timeZone: string): number | undefined {
  const key = `${date.toString()} ${time} ${timeZone}`;
  if (known.has(key)) return known.get(key);
  if (known.size >= MOST_KNOWN) known.clear();
  const instant = convert(date, time, timeZone);
  known.set(key, instant);
  return instant;
}

function convert(date: Temporal.PlainDate, time: string, timeZone: string): number | undefined {
  const zoned = date
    .toPlainDateTime(Temporal.PlainTime.from(time))
    .toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  const moved = !zoned.toPlainDate().equals(date);
  return moved && !dayExists(date, timeZone) ? undefined : zoned.epochMilliseconds;
}

function dayExists(date: Temporal.PlainDate, timeZone: string): boolean {
  return date.toZonedDateTime(timeZone).toPlainDate().equals(date);
}
