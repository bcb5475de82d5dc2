import { jest } from '@jest/globals';
import { DatabaseClock } from './clock.js';

const START = new Date('2026-03-02T08:00:00Z');
const RIGHT = START.getTime();

let clock: DatabaseClock;

beforeEach(() => {
  jest.useFakeTimers({ now: START });
  clock = new DatabaseClock();
});
afterEach(() => jest.useRealTimers());

/** A reading of the database's clock that took `roundTrip` milliseconds and came half of it ago. */
function follow(time: number, roundTrip = 0): void {
  const answeredAt = performance.now();
  clock.follow({ time: new Date(time), sentAt: answeredAt - roundTrip, answeredAt });
}

it("is the machine's clock until the first reading", () => {
  expect(clock.now()).toEqual(START);
  expect(clock.machineOffset).toBe(0);
});

it.each([-180, -20, 0, 20, 180])("shows the database's time on a machine that is off by %d s", (seconds) => {
  jest.setSystemTime(RIGHT + seconds * 1_000);
  follow(RIGHT);
  jest.advanceTimersByTime(5_000);
  expect(clock.now()).toEqual(new Date(RIGHT + 5_000));
  expect(clock.machineOffset).toBe(seconds * 1_000);
});

it.each([-180, 180])('does not follow a machine whose clock jumps by %d s', (seconds) => {
  follow(RIGHT);
  jest.setSystemTime(RIGHT + seconds * 1_000);
  expect(clock.now()).toEqual(START);
  jest.advanceTimersByTime(1_000);
  expect(clock.now()).toEqual(new Date(RIGHT + 1_000));
  expect(clock.machineOffset).toBe(seconds * 1_000);
});

it('follows the database when its clock is set', () => {
  follow(RIGHT);
  follow(RIGHT + 180_000);
  expect(clock.now()).toEqual(new Date(RIGHT + 180_000));
  follow(RIGHT - 180_000);
  expect(clock.now()).toEqual(new Date(RIGHT - 180_000));
});

it('takes the middle of the time that the answer took, and stays within what later answers allow', () => {
  follow(RIGHT, 100);
  const shown = RIGHT + 50;
  expect(clock.now()).toEqual(new Date(shown));
  follow(shown - 40, 100);
  expect(clock.now()).toEqual(new Date(shown));
  follow(shown - 200, 100);
  expect(clock.now()).toEqual(new Date(shown - 150));
});
