/** The first whole minute that begins at least `leadMs` from now: a schedule's times have no seconds. */
import { MINUTE_MS } from '#domain';
export function nextMinute(now: Date, leadMs: number): number {
  return Math.ceil((now.getTime() + leadMs) / MINUTE_MS) * MINUTE_MS;
}

/** Making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** How an instant's minute is written on a clock in a zone (IANA name): `HH:MM`. */
export function wallClockTime(at: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? makeFormat(timeZone);
  return format.format(at);
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}
