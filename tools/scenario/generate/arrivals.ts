import type { BottlePlan } from './bottle-plan.js';
import type { Traffic } from './link.js';
import type { Happening } from './life.js';
import type { BottleFacts, HouseFacts, KnownAction } from './oracle/facts.js';
import { MINUTE } from './oracle/facts.js';
import { isIn } from './oracle/watch-bottle.js';

/** A clock that is off by no more is taken at its word. */
const CLOCK_TOLERANCE = 2 * MINUTE;

/** What of a bottle's traffic reaches us, and when: heartbeats that nobody hears are lost, reports are kept. */
export function receive(
  plan: BottlePlan,
  { sendings, heartbeats }: Traffic,
  { listening, to }: HouseFacts,
): BottleFacts {
  const arrivalOf = (at: number): number =>
    isIn(listening, at) ? at : (listening.find(({ from }) => from > at)?.from ?? Infinity);
  const beats = heartbeats.flatMap((stretch) => {
    const all: number[] = [];
    for (let at = stretch.from; at <= stretch.to; at += plan.hardware.beatsEvery)
      if (isIn(listening, at)) all.push(at);
    return all;
  });
  const arrived = sendings
    .map((sending) => ({ ...sending, at: arrivalOf(sending.at) }))
    .filter(({ at }) => at <= to);
  const known = new Map<Happening, KnownAction>();
  for (const { at, items } of arrived) {
    for (const item of items) if (!known.has(item)) known.set(item, knownAt(at, item, plan));
  }
  return {
    key: plan.key,
    prescriptions: plan.prescriptions,
    pauses: plan.pauses,
    contacts: [...beats, ...arrived.map(({ at }) => at)].sort((one, other) => one - other),
    actions: [...known.values()].sort((one, other) => one.known - other.known),
    pills: plan.pills,
  };
}

/** A clock that is far off is put right exactly; one that is a little off is believed, but for the future. */
function knownAt(
  arrival: number,
  { action, at, pillsTaken, pillsLeft }: Happening,
  { hardware }: BottlePlan,
): KnownAction {
  const off = Math.abs(hardware.clockOff) > CLOCK_TOLERANCE ? 0 : hardware.clockOff;
  return { action, time: Math.min(at + off, arrival), known: arrival, pillsTaken, pillsLeft };
}
