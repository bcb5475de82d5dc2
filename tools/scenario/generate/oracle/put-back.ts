import { type KnownAction, MINUTE } from './facts.js';

/** Pills that are in the bottle again so soon were put back. */
const SOON = 30 * MINUTE;

/** Pills that came back, and since when they are in the bottle. */
export interface Returned {
  pills: number;
  at: number;
}

/**
 * What came back of the removal of a moment (DOSE-41): by the counts of the closings that follow soon, before the next
 * removal, as far as none of them has more pills than were there before it.
 *
 * @param actions of its bottle
 */
export function returnedOf(removedAt: number, actions: readonly KnownAction[]): Returned | undefined {
  const removals = actions.filter(({ pillsTaken }) => pillsTaken > 0);
  const own = removals.filter(({ time }) => time === removedAt);
  const next = Math.min(...removals.map(({ time }) => time).filter((time) => time > removedAt));
  const left = Math.min(...own.map(({ pillsLeft }) => pillsLeft));
  let found: Returned | undefined;
  const later = actions.filter(({ action, time }) => action === 'closed' && removedAt < time && time < next);
  for (const { time, pillsLeft } of later.toSorted((one, other) => one.time - other.time)) {
    const pills = pillsLeft - left;
    if (time > removedAt + SOON || pills > pillsOf(own)) break;
    if (pills !== found?.pills) found = { pills, at: time };
  }
  return found && found.pills > 0 ? found : undefined;
}

/**
 * The removals of a bottle, each with the pills that did not come back.
 *
 * @param actions of the bottle
 */
export function keptOut<A extends KnownAction>(actions: readonly A[]): A[] {
  const removals = actions.filter(({ pillsTaken }) => pillsTaken > 0);
  return removals.flatMap((removal, index) => {
    const back = returnedOf(removal.time, actions)?.pills ?? 0;
    if (back === 0) return [removal];
    const together = removals.filter(({ time }) => time === removal.time);
    const isFirst = removals.findIndex(({ time }) => time === removal.time) === index;
    const pillsTaken = pillsOf(together) - back;
    return isFirst && pillsTaken > 0 ? [{ ...removal, pillsTaken }] : [];
  });
}

const pillsOf = (removals: readonly KnownAction[]): number =>
  removals.reduce((sum, { pillsTaken }) => sum + pillsTaken, 0);
