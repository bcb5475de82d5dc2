import { MINUTE_MS } from '#domain';
import { ranUntil } from './ran-until.js';

const NOW = new Date('2026-03-02T09:00:00Z');
const check = (idleMs: number, intervalMs: number) => ({
  job: { idleMs },
  ticks: { interval: () => intervalMs },
});

describe('a check runs until its next tick is due', () => {
  it.each([
    ['without checks', [], 0],
    ['all of them just ran', [check(0, MINUTE_MS), check(0, 5 * MINUTE_MS)], 0],
    ['the next ticks are not due', [check(MINUTE_MS, MINUTE_MS), check(5 * MINUTE_MS, 5 * MINUTE_MS)], 0],
    ['one hangs', [check(0, MINUTE_MS), check(12 * MINUTE_MS + 5_000, 5 * MINUTE_MS)], 7],
    [
      'of two that hang the one that is overdue for longer counts',
      [check(9 * MINUTE_MS + 5_000, MINUTE_MS), check(6 * MINUTE_MS, 5 * MINUTE_MS)],
      8,
    ],
  ])('%s', (_, checks, minutesAgo) => {
    expect(ranUntil(checks, NOW)).toEqual(new Date(NOW.getTime() - minutesAgo * MINUTE_MS));
  });
});
