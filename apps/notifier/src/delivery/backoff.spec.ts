import { earlyFrom, MAX_ATTEMPTS, waitAfter } from './backoff.js';

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

const waits = (random: number): number[] =>
  Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => waitAfter(index + 1, random)!);

it('begins with two seconds and ends with a day', () => {
  expect(waits(0.5)[0]).toBe(2 * SECOND);
  expect(waits(0.5).at(-1)).toBe(DAY);
});

it('waits longer each time, whatever the jitter', () => {
  const [shortest, longest] = [waits(0), waits(1)];
  for (let index = 1; index < shortest.length; index += 1) {
    expect(shortest[index]).toBeGreaterThan(longest[index - 1]!);
  }
});

it('spreads each wait by a fifth either way, in whole milliseconds', () => {
  expect(waitAfter(1, 0)).toBe(1.6 * SECOND);
  expect(waitAfter(1, 1)).toBe(2.4 * SECOND);
  expect(Number.isInteger(waitAfter(3, 1 / 3))).toBe(true);
});

it('asks a receiver that is down for a day at most ten times', () => {
  expect(MAX_ATTEMPTS).toBe(10);
  const within = waits(0).reduce<number[]>((times, wait) => [...times, (times.at(-1) ?? 0) + wait], []);
  expect(within.filter((at) => at < DAY).length + 1).toBeLessThanOrEqual(10);
});

it('has no wait after the last attempt', () => {
  expect(waitAfter(MAX_ATTEMPTS, 0.5)).toBeUndefined();
  expect(waitAfter(MAX_ATTEMPTS + 1, 0.5)).toBeUndefined();
});

describe('a notification whose receiver answers again', () => {
  const at = new Date('2026-03-02T08:00:00Z');
  const seconds = (
    retried_early: number,
    attempt: { status?: number } = {},
    wait = DAY,
  ): number | undefined => {
    const from = earlyFrom({ retried_early }, { at, ...attempt }, wait);
    return from && (from.getTime() - at.getTime()) / SECOND;
  };

  it('is sent early three times, from the second time on a minute after its last attempt', () => {
    expect([0, 1, 2, 3].map((times) => seconds(times))).toEqual([0, 60, 60, undefined]);
  });

  it('is sent early if it waits for 30 s or longer', () => {
    expect([30 * SECOND, 30 * SECOND - 1].map((wait) => seconds(0, {}, wait))).toEqual([0, undefined]);
  });

  it.each([[500], [599], [429], [421]])('is sent early after a response %d', (status) => {
    expect(seconds(0, { status })).toBe(0);
  });

  it.each([[400], [404], [499], [451]])(
    'waits for its backoff after a response %d: it was refused alone',
    (status) => {
      expect(seconds(0, { status })).toBeUndefined();
    },
  );
});
