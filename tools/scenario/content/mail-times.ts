import { HOUR } from '../generate/oracle/facts.js';

/** A time as mails write it: `Monday, 2 March 2026 at 08:05:00 CET`. */
export const TIME = String.raw`\w+day, \d+ \w+ \d{4} at \d\d:\d\d:\d\d \S+`;

type Locale = 'en-GB' | 'de-DE';

/** How mails write times. */
export const timeIn = (timeZone: string, locale: Locale): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'long' });

const MONTHS = [...Array(12).keys()].flatMap((month) =>
  ['en-GB', 'de-DE'].map((locale): [string, number] => [
    new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month)),
    month,
  ]),
);
const MONTH_OF = new Map(MONTHS);

/** The moment that a mail names. Epoch milliseconds; undefined if it is none in this zone. */
export function momentOf(text: string, timeZone: string, locale: Locale = 'en-GB'): number | undefined {
  const [, day, month, year, time] =
    /^[^,]+, (\d+)\.? (\S+) (\d+) (?:at|um) (\d\d:\d\d:\d\d) /.exec(text) ?? [];
  const [hours, minutes, seconds] = (time ?? '').split(':').map(Number) as [number, number, number];
  const shown = Date.UTC(Number(year), MONTH_OF.get(month!) ?? NaN, Number(day), hours, minutes, seconds);
  const format = timeIn(timeZone, locale);
  // no zone is further from UTC, and all differ by quarters of an hour
  for (let at = shown - 14 * HOUR; at <= shown + 14 * HOUR; at += HOUR / 4)
    if (format.format(at) === text) return at;
  return undefined;
}
