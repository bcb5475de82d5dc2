import { happenedAt } from './device-time.js';

const RECEIVED = Date.parse('2026-03-02T08:00:00Z');

it.each([
  ['a right clock', '2026-03-02T07:50:00Z', '2026-03-02T08:00:00Z', '2026-03-02T07:50:00Z'],
  ['no clock', '2026-03-02T07:50:00Z', undefined, '2026-03-02T07:50:00Z'],
  [
    'a clock that is two minutes ahead',
    '2026-03-02T07:50:00Z',
    '2026-03-02T08:02:00Z',
    '2026-03-02T07:50:00Z',
  ],
  ['a clock that is an hour ahead', '2026-03-02T08:50:00Z', '2026-03-02T09:00:00Z', '2026-03-02T07:50:00Z'],
  ['a clock of 1970', '1970-01-01T00:50:00Z', '1970-01-01T01:00:00Z', '2026-03-02T07:50:00Z'],
  ['a time in the future', '2026-03-02T08:01:00Z', undefined, '2026-03-02T08:00:00Z'],
  ['a clock that was set since', '2026-03-02T07:50:00Z', '1970-01-01T01:00:00Z', '2026-03-02T07:50:00Z'],
  ['a time of 1970 beside a right clock', '1970-01-01T00:50:00Z', '2026-03-02T08:00:00Z', undefined],
])('%s', (_what, time, sentAt, expected) => {
  expect(happenedAt(time, sentAt, RECEIVED)).toBe(expected === undefined ? undefined : Date.parse(expected));
});
