import { SECOND_MS } from '#domain';
import type { SimulatedBottle } from '../harness/bottle/simulated-bottle.js';
import type { Random } from '../random.js';
import type { Timeline } from '../harness/bottle/timeline.js';
import type { DemoBottle } from './bottles.js';
import type { DemoPlan } from './plan.js';

/** What a role acts on. */
export interface RoleContext {
  bottle: SimulatedBottle;
  timeline: Timeline;
  random: Random;
  plan: DemoPlan;
  say: (line: string) => void;
}

/** How long the lid is off for a dose. */
const DOSE_MS = 1_500;

const ROLES: Record<DemoBottle['role'], (context: RoleContext) => void> = {
  behaves,
  'misses a dose': missesADose,
  'is left open': isLeftOpen,
  'goes silent': goesSilent,
};

/** Schedules a bottle's actions on the timeline. Every bottle sends heartbeats. */
export function playRole(role: DemoBottle['role'], context: RoleContext): void {
  beat(context);
  ROLES[role](context);
}

function beat(context: RoleContext): void {
  context.bottle.heartbeat();
  context.timeline.after(context.plan.heartbeatEvery, () => beat(context));
}

/** Takes its dose on time, some seconds before the minute. */
function behaves({ bottle, timeline, random, plan }: RoleContext): void {
  timeline.at(plan.slot - random.between(1, 12) * SECOND_MS, () => bottle.take(1, DOSE_MS));
}

function missesADose({ bottle, timeline, plan, say }: RoleContext): void {
  timeline.at(plan.slot, () => say('a dose is due and is not taken'));
  timeline.at(plan.takenLateAt, () => {
    say('the dose is taken late');
    bottle.take(1, DOSE_MS);
  });
}

/** A medication without a schedule. */
function isLeftOpen({ bottle, timeline, plan, say }: RoleContext): void {
  timeline.at(plan.openedAt, () => {
    say('is opened and left open');
    bottle.openLid();
  });
  timeline.at(plan.closedAt, () => {
    say('is closed');
    bottle.closeLid(1);
  });
}

function goesSilent({ bottle, timeline, plan, say }: RoleContext): void {
  timeline.at(plan.silentFrom, () => {
    say('loses its connection and goes silent');
    bottle.outbox.setOnline(false);
  });
  timeline.at(plan.takenInSilenceAt, () => bottle.take(1, DOSE_MS));
  timeline.at(plan.backAt, () => {
    say(`is back online with a backlog of ${bottle.outbox.size} reports; its dose was taken`);
    bottle.outbox.setOnline(true);
  });
}
