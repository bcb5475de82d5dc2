import { type BottlePlan, weighsLess } from './bottle-plan.js';
import type { Traffic } from './link.js';
import type { LidEvent } from './lid-events.js';
import type { BottleFacts, ServiceFacts, KnownAction } from './oracle/facts.js';
import { MINUTE } from './oracle/facts.js';
import { isWithin } from './oracle/periods.js';

/** A clock offset up to this is not corrected. */
const CLOCK_TOLERANCE = 2 * MINUTE;

/** Which of a bottle's requests are received, and when: during outages heartbeats are lost and reports are stored. */
export function receive(
  plan: BottlePlan,
  { sendings, heartbeats }: Traffic,
  { accepting, from, to }: ServiceFacts,
): BottleFacts {
  const arrivalOf = (at: number): number =>
    isWithin(accepting, at) ? at : (accepting.find(({ from }) => from > at)?.from ?? Infinity);
  const beats = heartbeats.flatMap((span) => {
    const all: number[] = [];
    for (let at = span.from; at <= span.to; at += plan.hardware.beatsEvery)
      if (isWithin(accepting, at)) all.push(at);
    return all;
  });
  const arrived = sendings
    .map((sending) => ({ ...sending, at: arrivalOf(sending.at) }))
    .filter(({ at }) => at <= to);
  const known = new Map<LidEvent, KnownAction>();
  for (const { at, items } of arrived) {
    for (const item of items) if (!known.has(item)) known.set(item, knownAt(at, item, plan));
  }
  return {
    key: plan.key,
    registeredAt: from,
    prescriptions: plan.prescriptions,
    droppedSteps: plan.droppedSteps,
    pauses: plan.pauses,
    contacts: [...beats, ...arrived.map(({ at }) => at)].sort((one, other) => one - other),
    actions: [...known.values()].sort((one, other) => one.known - other.known),
    statements: plan.statements ?? [],
    pills: plan.pills,
  };
}

/**
 * A clock that is far off is put right exactly, also by events from before it was reset; one that is a little off is
 * believed, but for the future.
 */
function knownAt(
  arrival: number,
  { action, at, pillsTaken, pillsLeft }: LidEvent,
  plan: BottlePlan,
): KnownAction {
  const { hardware } = plan;
  const off = Math.abs(hardware.clockOff) > CLOCK_TOLERANCE ? 0 : hardware.clockOff;
  const time = Math.min(at + off, arrival);
  return { action, time, known: arrival, pillsTaken, pillsLeft, weighsLess: weighsLess(plan, at) };
}
