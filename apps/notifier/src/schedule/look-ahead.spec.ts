import { SystemClock } from '#platform';
import { jest } from '@jest/globals';
import { LookAhead } from './look-ahead.js';

const START = new Date('2026-03-02T08:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const after = (milliseconds: number): Date => new Date(START.getTime() + milliseconds);

const clock = new SystemClock();
let deadline: Date | undefined;
let woken: number[];
let ahead: LookAhead;

/** At the end of a run that took no time, with the next tick so far away. */
const look = (tick: number): Promise<void> => ahead.look(clock.now(), () => after(tick));

beforeEach(() => {
  jest.useFakeTimers({ now: START });
  woken = [];
  ahead = new LookAhead(
    () => Promise.resolve(deadline),
    () => woken.push(clock.now().getTime() - START.getTime()),
    clock,
  );
});
afterEach(() => jest.useRealTimers());

it.each<[string, number | undefined, number, number[]]>([
  ['a deadline before the next tick: then', 20_000, MINUTE, [20_000]],
  ['one within a second: a second after the beginning', 300, MINUTE, [1_000]],
  ['one that passed while the run went on: the same', -1, MINUTE, [1_000]],
  ['one at the tick: by the tick', MINUTE, MINUTE, []],
  ['one after the tick: by the tick', 2 * MINUTE, MINUTE, []],
  ['within a second of the tick: by the tick', 300, 900, []],
  ['none', undefined, MINUTE, []],
  ['one that is further away than a timer reaches', 40 * DAY, 100 * DAY, [40 * DAY]],
])('%s', async (_, due, tick, expected) => {
  deadline = due === undefined ? undefined : after(due);
  await look(tick);
  jest.advanceTimersByTime(tick + DAY);
  expect(woken).toEqual(expected);
});

it('another look takes the place of the one before', async () => {
  deadline = after(20_000);
  await look(MINUTE);
  deadline = after(30_000);
  await look(MINUTE);
  jest.advanceTimersByTime(MINUTE);
  expect(woken).toEqual([30_000]);
});

it('wakes nobody when it was stopped, before or during a look', async () => {
  deadline = after(20_000);
  await look(MINUTE);
  const looking = look(MINUTE);
  ahead.stop();
  await looking;
  jest.advanceTimersByTime(MINUTE);
  expect(woken).toEqual([]);
});
