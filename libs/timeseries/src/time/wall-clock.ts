import { MINUTE_MS } from '#domain';
import { Temporal } from 'temporal-polyfill';
import { floor } from './units.js';

/** No zone's clock is set within a quarter of an hour (since 1972), so one conversion serves it. */
const QUARTER = 15 * MINUTE_MS;
const known = new Map<string, number>();
const MOST_KNOWN = 20_000;

/** How far a zone's wall clock is ahead of UTC at an instant. Milliseconds. */
export function offsetAt(at: Date, timeZone: string): number {
  const quarter = floor(at, QUARTER).getTime();
  const name = `${timeZone} ${quarter}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const zoned = Temporal.Instant.fromEpochMilliseconds(quarter).toZonedDateTimeISO(timeZone);
  const offset = Math.round(zoned.offsetNanoseconds / 1e6);
  known.set(name, offset);
  return offset;
}

/** What the wall clock of a zone shows at an instant, written as if it were UTC. */
export function wallClock(at: Date, timeZone: string): Date {
  return new Date(at.getTime() + offsetAt(at, timeZone));
}

/** The same time of the same weekday in earlier weeks, by the wall clock of a zone; the last week first. */
export function sameHours(at: Date, weeks: number, timeZone: string): Date[] {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return Array.from(
    { length: weeks },
    (_, index) => new Date(zoned.subtract({ weeks: index + 1 }).epochMilliseconds),
  );
}

/** The instants at which the days of a zone begin, from the day that holds `from` to the first at or after `to`. */
export function localMidnights(from: Date, to: Date, timeZone: string): Date[] {
  const midnights: Date[] = [];
  let day = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  for (;;) {
    const start = new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
    // a zone may skip a day: then two dates begin at one instant
    if (midnights.at(-1)?.getTime() !== start.getTime()) midnights.push(start);
    if (start >= to) return midnights;
    day = day.add({ days: 1 });
  }
}
