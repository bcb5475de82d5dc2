import type { CountedAction } from '../supply/doubtful-counts.js';
import type { SlotMatch } from './match.js';
import { PUT_BACK_WITHIN_MS } from './put-back.js';

/** So many more pills are put in. Fewer may be a count that is not read exactly. */
const FEWEST_FILLED = 3;

/** A bottle was filled while it was open. */
export interface Filling {
  opened_at: Date;
  closed_at: Date;
}

/**
 * The closings that report no removal, and more pills than there were at the opening. Pills that were removed and are put
 * back are none that fill it. How many pills were taken out meanwhile, if any, no count shows.
 *
 * @param actions in any order
 * @param to what happened later is left out
 * @returns in order of time
 */
export function fillings(actions: readonly CountedAction[], to: Date): Filling[] {
  const known = actions
    .filter(({ time }) => time <= to)
    .toSorted(
      (one, other) =>
        one.time.getTime() - other.time.getTime() ||
        Number(one.action === 'closed') - Number(other.action === 'closed'),
    );
  return known.flatMap(({ action, time, number_of_pills: count, pills_taken: taken = 0 }, index) => {
    const before = known[index - 1];
    if (action !== 'closed' || taken > 0 || count === undefined || before?.number_of_pills === undefined)
      return [];
    const removed = known
      .slice(0, index)
      .filter((each) => time.getTime() - each.time.getTime() <= PUT_BACK_WITHIN_MS)
      .reduce((sum, each) => sum + (each.pills_taken ?? 0), 0);
    if (count - before.number_of_pills - removed < FEWEST_FILLED) return [];
    return [{ opened_at: before.action === 'opened' ? before.time : time, closed_at: time }];
  });
}

/**
 * When the bottle was filled in the window of a dose that lacks pills (both ends included), which may have been taken then:
 * of each filling the first such dose.
 */
export function filledDuring(
  matches: readonly SlotMatch[],
  found: readonly Filling[],
): ReadonlyMap<SlotMatch, Date> {
  return new Map(
    found.flatMap(({ opened_at, closed_at }) => {
      const first = matches.find(
        ({ slot, completed_at }) =>
          !completed_at && slot.early_from <= closed_at && opened_at <= slot.missed_at,
      );
      return first ? [[first, closed_at] as const] : [];
    }),
  );
}
