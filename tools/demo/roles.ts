import type { SimulatedBottle } from '../simulator/bottle/simulated-bottle.js';
import type { Random } from '../simulator/random.js';
import type { Timeline } from '../simulator/timeline.js';
import type { DemoBottle } from './cast.js';
import type { DemoPlan } from './plan.js';

/** What a role is played with. */
export interface Stage {
  bottle: SimulatedBottle;
  timeline: Timeline;
  random: Random;
  plan: DemoPlan;
  say: (line: string) => void;
}

/** How long a lid is off for a dose. */
const TAKING_MS = 1_500;
const SECOND = 1_000;

const ROLES: Record<DemoBottle['role'], (stage: Stage) => void> = {
  behaves,
  'misses a dose': missesADose,
  'is left open': isLeftOpen,
  'goes silent': goesSilent,
};

/** Puts on the timeline what becomes of a bottle. Every one of them reports that it is alive. */
export function playRole(role: DemoBottle['role'], stage: Stage): void {
  beat(stage);
  ROLES[role](stage);
}

function beat(stage: Stage): void {
  stage.bottle.heartbeat();
  stage.timeline.after(stage.plan.heartbeatEvery, () => beat(stage));
}

/** On time: some seconds before the minute. */
function behaves({ bottle, timeline, random, plan }: Stage): void {
  timeline.at(plan.slot - random.between(1, 12) * SECOND, () => bottle.take(1, TAKING_MS));
}

function missesADose({ bottle, timeline, plan, say }: Stage): void {
  timeline.at(plan.slot, () => say('a dose is due, and nobody takes it'));
  timeline.at(plan.takenLateAt, () => {
    say('the dose is taken after all');
    bottle.take(1, TAKING_MS);
  });
}

/** A medicine without a schedule: whoever took one forgot the lid. */
function isLeftOpen({ bottle, timeline, plan, say }: Stage): void {
  timeline.at(plan.openedAt, () => {
    say('is opened and left standing open');
    bottle.openLid();
  });
  timeline.at(plan.closedAt, () => {
    say('is closed');
    bottle.closeLid(1);
  });
}

function goesSilent({ bottle, timeline, plan, say }: Stage): void {
  timeline.at(plan.silentFrom, () => {
    say('loses its wi-fi and is not heard of');
    bottle.outbox.setOnline(false);
  });
  timeline.at(plan.takenInSilenceAt, () => bottle.take(1, TAKING_MS));
  timeline.at(plan.backAt, () => {
    say(`is back, with ${bottle.outbox.size} reports of the meantime; its dose was taken`);
    bottle.outbox.setOnline(true);
  });
}
