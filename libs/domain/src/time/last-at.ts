import { Temporal } from 'temporal-polyfill';

/**
 * The last instant, now or before, at which clocks showed a time of day.
 *
 * @param time `08:30`
 * @param timeZone IANA name
 * @returns undefined if it is no time of day
 */
export function lastAt(time: string, timeZone: string, now: Date): Date | undefined {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return undefined;
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const clock = Temporal.PlainTime.from(time);
  const today = here.withPlainTime(clock);
  const last =
    Temporal.ZonedDateTime.compare(today, here) <= 0
      ? today
      : here.subtract({ days: 1 }).withPlainTime(clock);
  return new Date(last.epochMilliseconds);
}
