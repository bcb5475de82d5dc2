import { Temporal } from 'temporal-polyfill';

/** Wall-clock times `HH:MM` in the recipient's zone; `from` later than `to` spans midnight. */
export interface QuietHours {
  from: string;
  to: string;
}

/**
 * When the quiet hours that `now` lies in are over; undefined when it lies in none.
 * A clock change moves with the wall clock: the recipient's morning is their morning.
 *
 * @param timeZone IANA name: the recipient's, not the server's (paperclip PR#7648).
 */
export function quietUntil({ from, to }: QuietHours, timeZone: string, now: Date): Date | undefined {
  if (from === to) return undefined;
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const time = local.toPlainTime();
  const [begins, ends] = [Temporal.PlainTime.from(from), Temporal.PlainTime.from(to)];
  const sinceBegin = Temporal.PlainTime.compare(time, begins) >= 0;
  const beforeEnd = Temporal.PlainTime.compare(time, ends) < 0;
  const overnight = Temporal.PlainTime.compare(begins, ends) > 0;
  if (overnight ? !(sinceBegin || beforeEnd) : !(sinceBegin && beforeEnd)) return undefined;
  const day = overnight && sinceBegin ? local.toPlainDate().add({ days: 1 }) : local.toPlainDate();
  const end = day.toZonedDateTime({ timeZone, plainTime: ends });
  return new Date(end.epochMilliseconds);
}
