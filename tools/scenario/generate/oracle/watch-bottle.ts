import { type BottleFacts, type BottleTruth, DAY, type HouseFacts, MINUTE, type Stretch } from './facts.js';
import { type DueDose, dueDoses } from './due-doses.js';
import { DosesWatch } from './doses-watch.js';
import { Knowledge } from './knowledge.js';
import { LidWatch } from './lid-watch.js';
import { SilenceWatch } from './silence-watch.js';
import { SupplyWatch } from './supply-watch.js';
import type { WallClocks } from './wall-clock.js';

/**
 * The truth about one bottle, the slow way: looks at everything that is known at every minute at which a
 * notifier ran, silence at every fifth, and writes down what changes.
 */
export function watchBottle(facts: BottleFacts, house: HouseFacts, walls: WallClocks): BottleTruth {
  const knowledge = new Knowledge(facts);
  const dosesKnownAt = asTheStaffSaid(facts, house, walls);
  const lid = new LidWatch(facts.key, house, knowledge);
  const silence = new SilenceWatch(facts.key, house, knowledge);
  const doses = new DosesWatch(facts, knowledge, dosesKnownAt, walls);
  const supply = new SupplyWatch(facts, knowledge, dosesKnownAt, (dose) => doses.isTaken(dose));
  for (const now of ticks(house)) {
    knowledge.moveTo(now);
    lid.tick(now);
    if (now % (5 * MINUTE) === 0) silence.tick(now);
    doses.tick(now);
    supply.tick(now);
  }
  knowledge.moveTo(house.to);
  return {
    stories: [lid, silence, doses, supply].flatMap(({ stories }) => stories),
    outcomes: doses.outcomes,
    status: statusOf(),
    unclear: lid.unclear,
  };

  function statusOf(): BottleTruth['status'] {
    if (knowledge.lastContact === undefined) return 'unknown';
    if (silence.isSilent) return 'silent';
    if (doses.isLate) return 'late';
    return lid.isOpen ? 'open' : 'ok';
  }
}

/** Every minute at which a notifier runs. */
function* ticks({ from, to, notifying }: HouseFacts): Generator<number> {
  for (let now = Math.ceil(from / MINUTE) * MINUTE; now <= to; now += MINUTE) {
    if (isIn(notifying, now)) yield now;
  }
}

export function isIn(stretches: readonly Stretch[], at: number): boolean {
  return stretches.some(({ from, to }) => from <= at && at < to);
}

/** The doses by what the staff had said at a moment; the same list while they say nothing new. */
function asTheStaffSaid(
  { prescriptions, pauses }: BottleFacts,
  { from, to }: Stretch,
  walls: WallClocks,
): (now: number) => DueDose[] {
  const known = new Map<number, DueDose[]>();
  return (now) => {
    const [plans, breaks] = [
      prescriptions.filter((each) => each.from <= now),
      pauses.filter(({ said }) => said <= now),
    ];
    const said = plans.length * 1_000 + breaks.length;
    const doses = known.get(said) ?? dueDoses(plans, breaks, { from, to: to + 4 * DAY }, walls);
    known.set(said, doses);
    return doses;
  };
}
