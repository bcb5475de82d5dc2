import { HOUR } from '../generate/oracle/facts.js';

/** A time as mails write it: `Monday, 2 March 2026 at 08:05:00 CET`. */
export const TIME = String.raw`\w+day, \d+ \w+ \d{4} at \d\d:\d\d:\d\d \S+`;

/** The moment that a mail names. Epoch milliseconds; undefined if it is none in this zone. */
export function momentOf(text: string, timeZone: string): number | undefined {
  const [, date, time] = /^\w+, (\d+ \w+ \d+) at (\d\d:\d\d:\d\d) /.exec(text) ?? [];
  const shown = Date.parse(`${date} ${time} UTC`);
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  // no zone is further from UTC, and all differ by quarters of an hour
  for (let at = shown - 14 * HOUR; at <= shown + 14 * HOUR; at += HOUR / 4)
    if (format.format(at) === text) return at;
  return undefined;
}
