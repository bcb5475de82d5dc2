import type { SimulatedBottle } from '../bottle/simulated-bottle.js';
import type { Random } from '../random.js';
import type { Timeline } from '../timeline.js';
import type { Pace } from './pace.js';

/** What a behaviour acts on. */
export interface Life {
  bottle: SimulatedBottle;
  timeline: Timeline;
  pace: Pace;
  /** This behaviour's own stream of choices. */
  random: Random;
}

/** Puts on the timeline what it does, and goes on from there until the timeline stops. */
export type Behaviour = (life: Life) => void;

/** Does something again and again, at moments that know nothing of each other, `meanMs` apart on average. */
export function atRandom(life: Pick<Life, 'timeline' | 'random'>, meanMs: number, action: () => void): void {
  life.timeline.after(-Math.log(1 - life.random.next()) * meanMs, () => {
    action();
    atRandom(life, meanMs, action);
  });
}
