import { ManualClock } from '#platform';
import { Ticks } from './ticks.js';

const START = new Date('2026-03-02T08:00:30Z');
const EVERY_MINUTE = '* * * * *';

let clock: ManualClock;
let ticked: string[];
let ticks: Ticks;

beforeEach(() => {
  clock = new ManualClock(START);
  ticked = [];
  ticks = new Ticks(EVERY_MINUTE, clock);
});

/** Asks every second. */
function pass(seconds: number): void {
  for (let passed = 0; passed < seconds; passed += 1) {
    clock.advance(1_000);
    if (ticks.hasCome()) ticked.push(clock.now().toISOString().slice(11, 19));
  }
}

it('ticks at each full minute of the clock', () => {
  pass(150);
  expect(ticked).toEqual(['08:01:00', '08:02:00', '08:03:00']);
  expect(ticks.next()).toEqual(new Date('2026-03-02T08:04:00Z'));
  expect(ticks.interval()).toBe(60_000);
});

it.each([
  ['back by three minutes', -180, ['08:01:00', '07:59:00', '08:00:00']],
  ['ahead by three minutes', 180, ['08:01:00', '08:04:31', '08:05:00', '08:06:00']],
])('goes on when the clock is set %s', (_, seconds, expected) => {
  pass(60);
  clock.advance(seconds * 1_000);
  pass(130);
  expect(ticked).toEqual(expected);
});

it('ticks once for what has come between two calls', () => {
  clock.advance(10 * 60_000);
  expect([ticks.hasCome(), ticks.hasCome()]).toEqual([true, false]);
});
