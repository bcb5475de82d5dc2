import type { Random } from '../../random.js';
import { receive } from './arrivals.js';
import { type BottlePlan, planBottle } from './bottle-plan.js';
import type { GeneratedBottle } from './generated-bottle.js';
import { handleBottle } from './lid-events.js';
import { send, type Traffic } from './link.js';
import { dueDoses } from './oracle/due-doses.js';
import { DAY, HOUR, MINUTE, SECOND, type ServiceFacts, type Span } from './oracle/facts.js';
import type { WallClocks } from './oracle/wall-clock.js';
import { watchBottle } from './oracle/watch-bottle.js';
import { isAllReported } from './retirements.js';
import { drawStatements } from './statements.js';

/** Marks the plan of a bottle that is somebody's again: to the oracle it is another one. */
const AGAIN = '+';

/** The bottle of the scenario that a plan is of. */
export function physicalKey(key: string): string {
  return key.replace(AGAIN, '');
}

export const againKey = (key: string): string => key + AGAIN;

/** How long there must be neither a gap nor an outage of ours after it is assigned: it reports meanwhile. */
const CALM = 2 * HOUR;
/** What is left of the scenario at the least. */
const LEFT = 1.6 * DAY;
const ATTEMPTS = 5;

/**
 * Draws whether a bottle that left use is assigned, to the same person or another, with a plan of its own. Between its
 * lives it reports nothing.
 */
export function drawSecondLife(
  random: Random,
  first: GeneratedBottle,
  facts: ServiceFacts,
  walls: WallClocks,
): GeneratedBottle | undefined {
  const { plan: before, traffic, retirement } = first;
  const isAnothers = random.chance(0.6);
  if (!retirement || !random.chance(0.85) || !isAllReported(traffic, retirement.at)) return undefined;
  const at = Math.floor((retirement.at + random.between(0.3, 12) * HOUR) / MINUTE) * MINUTE + 41 * SECOND;
  const isCalm = [facts.accepting, facts.notifying].every((spans) =>
    spans.some(({ from, to }) => from <= at - HOUR && at + CALM <= to),
  );
  if (!isCalm || at > facts.to - LEFT) return undefined;
  const life = { ...facts, from: at };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const key = againKey(before.key);
    const plan = asAssigned(
      planBottle(random, key, isAnothers ? `u-${before.key}-next` : before.user, life, walls),
      before,
    );
    if (!plan) continue;
    const doses = dueDoses(plan.prescriptions, plan.pauses, life, walls);
    plan.statements = drawStatements(random, plan, doses, life);
    const sent = send(random, plan, handleBottle(random, plan, doses, life), life);
    const truth = watchBottle(receive(plan, sent, life), life, walls);
    if (truth.unclear.length === 0)
      return {
        plan,
        traffic: sent,
        truth: { ...truth, weightShownAt: Infinity },
        erasedAt: Infinity,
        assignedAt: at,
      };
  }
  return undefined;
}

/** The traffic of the first life alone. */
export function endedAt({ sendings, heartbeats }: Traffic, at: number): Traffic {
  return {
    sendings: sendings.filter((sending) => sending.at < at),
    heartbeats: heartbeats
      .filter(({ from }) => from < at)
      .map(({ from, to }): Span => ({ from, to: Math.min(to, at - 1) })),
  };
}

/** A plan as assigning gives it: with zones of its own, and a device that reports at once. */
function asAssigned(plan: BottlePlan, before: BottlePlan): BottlePlan | undefined {
  const { miscounts: _, ...kept } = plan;
  const { neverReports, startsLate, diesAt } = plan.hardware;
  if (plan.moves || plan.runsLow || neverReports || startsLate || diesAt < Infinity) return undefined;
  const ofItsOwn = <P extends BottlePlan['prescriptions'][number]>(step: P): P => ({
    ...step,
    plan: { ...step.plan, statesZone: true },
  });
  return {
    ...kept,
    zone: before.zone,
    hasGateway: before.hasGateway,
    prescriptions: plan.prescriptions.map(ofItsOwn),
    droppedSteps: plan.droppedSteps.map(ofItsOwn),
    // it goes on counting its events where it stopped
    hardware: { ...plan.hardware, namesEvents: false, clockResetsAt: Infinity },
  };
}
