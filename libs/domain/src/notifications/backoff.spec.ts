import { SECOND_MS, DAY_MS, MINUTE_MS } from '../time/durations.js';
import { earlyFrom, MAX_ATTEMPTS, nextAttemptAt, waitAfter } from './backoff.js';

const waits = (random: number): number[] =>
  Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => waitAfter(index + 1, random)!);

it('begins with two seconds and ends with a day', () => {
  expect(waits(0.5)[0]).toBe(2 * SECOND_MS);
  expect(waits(0.5).at(-1)).toBe(DAY_MS);
});

it('waits longer each time, whatever the jitter', () => {
  const [shortest, longest] = [waits(0), waits(1)];
  for (let index = 1; index < shortest.length; index += 1) {
    expect(shortest[index]).toBeGreaterThan(longest[index - 1]!);
  }
});

it('spreads each wait by a fifth either way, in whole milliseconds', () => {
  expect(waitAfter(1, 0)).toBe(1.6 * SECOND_MS);
  expect(waitAfter(1, 1)).toBe(2.4 * SECOND_MS);
  expect(Number.isInteger(waitAfter(3, 1 / 3))).toBe(true);
});

it('asks a receiver that is down for a day at most ten times', () => {
  expect(MAX_ATTEMPTS).toBe(10);
  const within = waits(0).reduce<number[]>((times, wait) => [...times, (times.at(-1) ?? 0) + wait], []);
  expect(within.filter((at) => at < DAY_MS).length + 1).toBeLessThanOrEqual(10);
});

it('has no wait after the last attempt', () => {
  expect(waitAfter(MAX_ATTEMPTS, 0.5)).toBeUndefined();
  expect(waitAfter(MAX_ATTEMPTS + 1, 0.5)).toBeUndefined();
});

const at = new Date('2026-03-02T08:00:00Z');
type Failed = Parameters<typeof nextAttemptAt>[0][number];
const attempt = (seconds: number, more: Partial<Failed> = {}): Failed => ({
  at: new Date(at.getTime() + seconds * SECOND_MS),
  ...more,
});
const early = { early: true } as const;

describe('early attempts', () => {
  const waitOf = (...attempts: Failed[]): number | undefined => {
    const next = nextAttemptAt(attempts, 0.5);
    return next && (next.getTime() - at.getTime()) / SECOND_MS;
  };

  it('neither advance the backoff nor delay it, and are not counted in the ten', () => {
    expect(waitOf(attempt(0))).toBe(2);
    expect(waitOf(attempt(0), attempt(2), attempt(17))).toBe(77);
    expect(waitOf(attempt(0), attempt(2), attempt(17), attempt(30, early), attempt(60, early))).toBe(77);
    const nine = Array.from({ length: 9 }, (_, index) => attempt(index));
    const many = Array.from({ length: 200 }, (_, index) => attempt(10 + index, early));
    expect(nextAttemptAt([...nine, ...many], 0.5)).toBeDefined();
    expect(nextAttemptAt([...nine, ...many, attempt(1_000)], 0.5)).toBeUndefined();
  });

  it('are not followed at once by one of the backoff that they kept waiting', () => {
    expect(waitOf(attempt(0), attempt(2), attempt(17), attempt(76, early))).toBe(78);
  });
});

describe('a notification whose receiver answers again', () => {
  const seconds = (times: number, result: Partial<Failed> = {}, wait = DAY_MS): number | undefined => {
    const attempts = [
      attempt(0, result),
      ...Array.from({ length: times }, () => attempt(0, { ...result, ...early })),
    ];
    const from = earlyFrom(attempts, new Date(at.getTime() + wait));
    return from && (from.getTime() - at.getTime()) / SECOND_MS;
  };

  it('is sent early again and again if it certainly did not arrive, after 1, 2, 4, 8, and then every 15 minutes', () => {
    const minutes = [0, 1, 2, 4, 8, 15, 15];
    for (const result of [{ status: 500 }, { unsent: true }] as const)
      expect(minutes.map((_, times) => seconds(times, result)! / 60)).toEqual(minutes);
    expect(seconds(300, { status: 500 })! * SECOND_MS).toBe(15 * MINUTE_MS);
  });

  it('is sent early three times if it may have arrived', () => {
    expect([0, 1, 2, 3].map((times) => seconds(times))).toEqual([0, 60, 120, undefined]);
  });

  it('is sent early if it waits for 30 s or longer', () => {
    expect([30 * SECOND_MS, 30 * SECOND_MS - 1].map((wait) => seconds(0, {}, wait))).toEqual([0, undefined]);
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
