import type { Life } from './behaviour.js';

const EVERY_MINUTES = 30;

/** A sign of life every 30 minutes, beginning somewhere within the first, so that a fleet is spread out. */
export function heartbeats({ bottle, timeline, pace, random }: Life): void {
  const every = pace.minutes(EVERY_MINUTES);
  let next = timeline.now() + random.between(0, every);
  const beat = (): void => {
    bottle.heartbeat();
    // by the plan and not by the moment: a timer that is late makes no slower device
    next = Math.max(next + every, timeline.now());
    timeline.at(next, beat);
  };
  timeline.at(next, beat);
}
