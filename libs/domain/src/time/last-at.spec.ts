import { lastAt } from './last-at.js';

it.each([
  ['07:59', 'UTC', '2026-03-02T07:59:00.000Z'],
  ['08:00', 'UTC', '2026-03-02T08:00:00.000Z'],
  ['08:01', 'UTC', '2026-03-01T08:01:00.000Z'],
  ['08:30', 'Europe/Berlin', '2026-03-02T07:30:00.000Z'],
  ['23:00', 'Asia/Tokyo', '2026-03-01T14:00:00.000Z'],
])('%s in %s was last at %s', (time, zone, expected) => {
  expect(lastAt(time, zone, new Date('2026-03-02T08:00:00Z'))?.toISOString()).toBe(expected);
});

it.each(['', '8:00', '24:00', '08:60', '08:00:00', 'noon'])('%s is no time of day', (time) => {
  expect(lastAt(time, 'UTC', new Date('2026-03-02T08:00:00Z'))).toBeUndefined();
});
