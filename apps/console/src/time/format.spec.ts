import { ago, clockTime, dayAndTime, dayOnly, duration, fullTime, zoneName } from './format.js';

const at = (iso: string): number => Date.parse(iso);
const NOW = at('2026-03-02T12:00:00Z');

it('never writes a time without its zone', () => {
  expect(clockTime(at('2026-03-02T08:14:00Z'), 'Europe/Berlin')).toBe('09:14 CET');
  expect(clockTime(at('2026-07-02T08:14:00Z'), 'Europe/Berlin')).toBe('10:14 CEST');
  expect(clockTime(at('2026-03-02T08:14:00Z'), 'America/New_York')).toBe('03:14 EST');
  expect(clockTime(at('2026-03-02T08:14:00Z'), 'Asia/Kolkata')).toBe('13:44 GMT+5:30');
  expect(clockTime(at('2026-03-02T00:00:00Z'), 'UTC')).toBe('00:00 UTC');
  expect(fullTime(at('2026-03-02T08:14:05Z'), 'Europe/Berlin')).toMatch(
    /^Monday.* 2 March 2026.*09:14:05 CET$/,
  );
  expect(zoneName(at('2026-07-02T08:14:00Z'), 'America/Los_Angeles')).toBe('PDT');
});

it('leaves the day out when it is today there, and the year when it is this one', () => {
  expect(dayAndTime(at('2026-03-02T08:14:00Z'), 'Europe/Berlin', NOW)).toBe('09:14 CET');
  expect(dayAndTime(at('2026-03-01T08:14:00Z'), 'Europe/Berlin', NOW)).toBe('Sun 1 Mar, 09:14 CET');
  expect(dayAndTime(at('2025-12-31T08:14:00Z'), 'Europe/Berlin', NOW)).toBe('31 Dec 2025, 09:14 CET');
  // the same instant is still yesterday further west
  expect(dayAndTime(at('2026-03-02T03:00:00Z'), 'Europe/Berlin', NOW)).toBe('04:00 CET');
  expect(dayAndTime(at('2026-03-02T03:00:00Z'), 'America/New_York', NOW)).toBe('Sun 1 Mar, 22:00 EST');
  expect(dayOnly(at('2026-03-02T03:00:00Z'), 'America/New_York', NOW)).toBe('Sun 1 Mar');
});

it.each([
  [40_000, '40 s'],
  [23 * 60_000 + 59_000, '23 min'],
  [3 * 3_600_000, '3 h'],
  [3 * 3_600_000 + 5 * 60_000, '3 h 5 min'],
  [28 * 3_600_000, '1 day 4 h'],
  [12 * 86_400_000 + 3_600_000, '12 days'],
  [-5, '0 s'],
])('says %d ms as %s', (ms, text) => expect(duration(ms)).toBe(text));

it('says how long ago, and how soon', () => {
  expect(ago(NOW - 20_000, NOW)).toBe('just now');
  expect(ago(NOW - 23 * 60_000, NOW)).toBe('23 min ago');
  expect(ago(NOW + 2 * 3_600_000, NOW)).toBe('in 2 h');
});
