import { MINUTE_MS } from '#domain';
import { SystemClock } from '#platform';
import { jest } from '@jest/globals';
import { SweepWakeUp } from './sweep-wake-up.js';

const START = new Date('2026-03-02T08:00:00Z');
const after = (milliseconds: number): Date => new Date(START.getTime() + milliseconds);

const clock = new SystemClock();
let deadline: Date | undefined;
let failing = false;
let woken: number[];
let wakeUp: SweepWakeUp;

/** Schedules at the end of a sweep that took no time, with the next tick `tick` milliseconds away. */
const schedule = (tick: number): Promise<void> => wakeUp.schedule(clock.now(), () => after(tick));

beforeEach(() => {
  jest.useFakeTimers({ now: START });
  woken = [];
  wakeUp = new SweepWakeUp(
    () => (failing ? Promise.reject(new Error('database')) : Promise.resolve(deadline)),
    () => woken.push(clock.now().getTime() - START.getTime()),
    clock,
  );
});
afterEach(() => jest.useRealTimers());

it.each<[string, number | undefined, number, number[]]>([
  ['a deadline before the next tick: then', 20_000, MINUTE_MS, [20_000]],
  ['one within a second: a second after the sweep began', 300, MINUTE_MS, [1_000]],
  ['one that passed during the sweep: the same', -1, MINUTE_MS, [1_000]],
  ['one at the tick: by the tick', MINUTE_MS, MINUTE_MS, []],
  ['one after the tick: by the tick', 2 * MINUTE_MS, MINUTE_MS, []],
  ['within a second of the tick: by the tick', 300, 900, []],
  ['none', undefined, MINUTE_MS, []],
])('%s', async (_, due, tick, expected) => {
  deadline = due === undefined ? undefined : after(due);
  await schedule(tick);
  await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(woken).toEqual(expected);
});

it('a deadline that is armed after the sweep: then', async () => {
  deadline = undefined;
  await schedule(MINUTE_MS);
  await jest.advanceTimersByTimeAsync(5_500);
  deadline = after(25_500);
  await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(woken).toEqual([25_500]);
});

it('when the database fails in between: as soon as it answers', async () => {
  deadline = after(20_000);
  await schedule(MINUTE_MS);
  failing = true;
  await jest.advanceTimersByTimeAsync(30_000);
  expect(woken).toEqual([]);
  failing = false;
  await jest.advanceTimersByTimeAsync(5_000);
  // a timer takes a millisecond at least
  expect(woken).toEqual([31_001]);
});

it('a later schedule replaces the earlier one', async () => {
  deadline = after(20_000);
  await schedule(MINUTE_MS);
  deadline = after(30_000);
  await schedule(MINUTE_MS);
  await jest.advanceTimersByTimeAsync(MINUTE_MS);
  expect(woken).toEqual([30_000]);
});

it('does not wake after a stop, before or while scheduling', async () => {
  deadline = after(20_000);
  await schedule(MINUTE_MS);
  const scheduling = schedule(MINUTE_MS);
  wakeUp.stop();
  await scheduling;
  await jest.advanceTimersByTimeAsync(MINUTE_MS);
  expect(woken).toEqual([]);
});
