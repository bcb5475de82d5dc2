import { quietUntil } from './quiet-hours.js';

const at = (time: string): Date => new Date(`2026-03-03T${time}Z`);

it.each([
  ['21:59:59.999', undefined],
  ['22:00:00.000', '2026-03-04T07:00:00.000Z'],
  ['06:59:59.999', '2026-03-03T07:00:00.000Z'],
  ['07:00:00.000', undefined],
])('quiet hours from 22:00 to 07:00 include their first moment and not their last: %s', (time, until) => {
  expect(quietUntil({ from: '22:00', to: '07:00' }, 'UTC', at(time))?.toISOString()).toBe(until);
});

it.each([
  ['12:59:59.999', undefined],
  ['13:00:00.000', '2026-03-03T15:00:00.000Z'],
  ['15:00:00.000', undefined],
])('by day, too: %s', (time, until) => {
  expect(quietUntil({ from: '13:00', to: '15:00' }, 'UTC', at(time))?.toISOString()).toBe(until);
});
