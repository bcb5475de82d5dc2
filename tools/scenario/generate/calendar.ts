import type { Random } from '../../random.js';
import { DAY, HOUR, type Span } from './oracle/facts.js';

/** Where the bottles are, and when clocks change there: Lord Howe's by half an hour, Kolkata's never. */
export const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'UTC',
];

/** Days on which some of these clocks change; both halves hold a spring and an autumn within 30 days. */
const CLOCK_CHANGES = [
  // spring in New York and Berlin, autumn on Lord Howe and Chatham
  ['2026-03-08', '2026-03-29', '2026-04-04'],
  // spring on Lord Howe, autumn in Berlin and New York
  ['2026-10-03', '2026-10-25', '2026-11-01'],
];

/** Chooses a scenario's dates so that it covers as many of these days as possible. */
export function chooseDates(random: Random, days: number): Span {
  const half = random.pick(CLOCK_CHANGES).map((date) => Date.parse(date));
  const first = days >= 30 ? half[0]! : random.pick(half);
  const lead = days >= 30 ? 12 * HOUR : random.between(0.3, 0.6) * days * DAY;
  const from = Math.floor((first - lead) / HOUR) * HOUR + 13 * 60_000;
  return { from, to: from + days * DAY + 30_000 };
}
