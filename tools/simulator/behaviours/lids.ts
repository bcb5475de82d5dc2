import { atRandom, type Life } from './behaviour.js';

const LOOKS_EVERY_HOURS = 4;
const FORGETS_EVERY_HOURS = 12;
const SHORTEST_OPENING_MS = 5;

/** Looks into the bottle every few hours and takes nothing. */
export function looksInside(life: Life): void {
  const { bottle, pace, random } = life;
  atRandom(life, pace.hours(LOOKS_EVERY_HOURS), () => {
    bottle.take(0, Math.max(SHORTEST_OPENING_MS, pace.seconds(random.between(5, 60))));
  });
}

/** Leaves the bottle open now and then, for ten minutes to two hours. */
export function leavesOpen(life: Life): void {
  const { bottle, pace, random } = life;
  atRandom(life, pace.hours(FORGETS_EVERY_HOURS), () => {
    bottle.take(0, pace.minutes(random.between(10, 120)));
  });
}
