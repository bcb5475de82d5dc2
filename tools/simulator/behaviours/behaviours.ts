import { HOUR_MS } from '#domain';
import type { SimulatedBottle } from '../../harness/bottle/simulated-bottle.js';
import type { Random } from '../../random.js';
import type { Timeline } from '../../harness/bottle/timeline.js';

/** The fleet's time scale: `speed` of its seconds pass in a real one. All results are real milliseconds. */
export class Pace {
  constructor(readonly speed: number) {}

  hours(virtual: number): number {
    return (virtual * HOUR_MS) / this.speed;
  }

  minutes(virtual: number): number {
    return this.hours(virtual / 60);
  }

  seconds(virtual: number): number {
    return this.hours(virtual / 3600);
  }
}

/** What a behaviour acts on. */
export interface BehaviourContext {
  bottle: SimulatedBottle;
  timeline: Timeline;
  pace: Pace;
  /** This behaviour's own stream of choices. */
  random: Random;
}

/** Schedules its actions on the timeline until the timeline stops. */
export type Behaviour = (context: BehaviourContext) => void;

/** Repeats an action at independent random moments, `meanMs` apart on average. */
export function atRandom(
  context: Pick<BehaviourContext, 'timeline' | 'random'>,
  meanMs: number,
  action: () => void,
): void {
  context.timeline.after(-Math.log(1 - context.random.next()) * meanMs, () => {
    action();
    atRandom(context, meanMs, action);
  });
}

const EVERY_MINUTES = 30;

/** A heartbeat every 30 minutes, with a random start so that a fleet is spread out. */
export function heartbeats({ bottle, timeline, pace, random }: BehaviourContext): void {
  const every = pace.minutes(EVERY_MINUTES);
  let next = timeline.now() + random.between(0, every);
  const beat = (): void => {
    bottle.heartbeat();
    // planned from the last due time, so that a late timer does not slow the device
    next = Math.max(next + every, timeline.now());
    timeline.at(next, beat);
  };
  timeline.at(next, beat);
}

const OPENS_EVERY_HOURS = 4;
const FORGETS_EVERY_HOURS = 12;
const SHORTEST_OPENING_MS = 5;

/** Opens the bottle every few hours without a removal. */
export function opensOnly(context: BehaviourContext): void {
  const { bottle, pace, random } = context;
  atRandom(context, pace.hours(OPENS_EVERY_HOURS), () => {
    bottle.take(0, Math.max(SHORTEST_OPENING_MS, pace.seconds(random.between(5, 60))));
  });
}

/** Sometimes leaves the bottle open, for ten minutes to two hours. */
export function leavesOpen(context: BehaviourContext): void {
  const { bottle, pace, random } = context;
  atRandom(context, pace.hours(FORGETS_EVERY_HOURS), () => {
    bottle.take(0, pace.minutes(random.between(10, 120)));
  });
}

const HOURS_ONLINE = 8;
const SHORTEST_HOURS = 0.5;
const LONGEST_HOURS = 6;

/** Loses the connection every few hours, for half an hour to six; the backlog follows. */
export function wifiOutages(context: BehaviourContext): void {
  const { bottle, timeline, pace, random } = context;
  timeline.after(pace.hours(random.between(0, HOURS_ONLINE)), () => {
    bottle.outbox.setOnline(false);
    timeline.after(pace.hours(random.between(SHORTEST_HOURS, LONGEST_HOURS)), () => {
      bottle.outbox.setOnline(true);
      wifiOutages(context);
    });
  });
}
