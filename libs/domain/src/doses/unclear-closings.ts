import { type CountedAction, inOrderOfTime } from '../supply/doubtful-counts.js';
import { inOrderOfChoice, type SlotMatch } from './match.js';
import { pillsPutBack, PUT_BACK_WITHIN_MS } from './put-back.js';

/**
 * Why no report shows what was taken out: the bottle was filled at the same time, or the closing did not say
 * (`pills_taken`).
 */
export const UNCLEAR_REASONS = ['filled', 'not_reported'] as const;

/** A closing by which pills may have been taken out that no report shows. */
export interface UnclearClosing {
  at: Date;
  why: (typeof UNCLEAR_REASONS)[number];
}

/** The time from the opening to an unclear closing. */
interface UnclearOpening extends UnclearClosing {
  opened_at: Date;
}

/** So many more pills are put in. Fewer may be a count that is not read exactly. */
const FEWEST_FILLED = 3;

/**
 * The closings that report no removal though there may have been one: of a bottle that was filled while it was open, by the
 * count of the action before, where pills that were removed and are put back fill nothing; and those that do not say how
 * many pills were taken out, unless the count is the same as at the opening, or shows that pills were put back.
 *
 * @param actions in any order
 * @param to what happened later is left out
 * @returns in order of time
 */
export function unclearClosings(actions: readonly CountedAction[], to: Date): UnclearOpening[] {
  const known = inOrderOfTime(actions.filter(({ time }) => time <= to));
  return known.flatMap((closing, index) => {
    const before = known[index - 1];
    const why = closing.action === 'closed' && whyUnclear(closing, before, known.slice(0, index));
    if (!why) return [];
    const { time: at } = closing;
    return [{ at, why, opened_at: before?.action === 'opened' ? before.time : at }];
  });
}

function whyUnclear(
  closing: CountedAction,
  before: CountedAction | undefined,
  earlier: readonly CountedAction[],
): UnclearClosing['why'] | undefined {
  const { time, number_of_pills: count, pills_taken: taken } = closing;
  if (taken !== undefined && taken > 0) return undefined;
  const { number_of_pills: counted } = before ?? {};
  const more = count !== undefined && counted !== undefined ? count - counted : undefined;
  const removed = earlier
    .filter((each) => time.getTime() - each.time.getTime() <= PUT_BACK_WITHIN_MS)
    .reduce((sum, each) => sum + (each.pills_taken ?? 0), 0);
  if (more !== undefined && more - removed >= FEWEST_FILLED) return 'filled';
  return taken === undefined && more !== 0 && !putsBack(closing, earlier) ? 'not_reported' : undefined;
}

/** Whether pills of the last removal came back by a closing. */
function putsBack(closing: CountedAction, earlier: readonly CountedAction[]): boolean {
  const closings = [...earlier, closing].filter(({ action }) => action === 'closed');
  const removal = closings.findLast(({ pills_taken = 0 }) => pills_taken > 0);
  return removal !== undefined && +(pillsPutBack(removal.time, closings)?.at ?? NaN) === +closing.time;
}

/**
 * The unclear closing by which each dose that lacks pills may have been taken: in its window, both ends included. Each may be
 * of one dose only, of those that lack some the one for which a removal at the opening would count.
 *
 * @param matches in order of time
 */
export function mayBeTakenBy(
  matches: readonly SlotMatch[],
  closings: readonly UnclearOpening[],
): ReadonlyMap<SlotMatch, UnclearClosing> {
  return new Map(
    closings.flatMap(({ opened_at, ...closing }) => {
      const open = inOrderOfChoice(matches, opened_at).find(
        ({ slot, completed_at }) =>
          !completed_at && slot.early_from <= closing.at && opened_at <= slot.missed_at,
      );
      return open ? [[open, closing] as const] : [];
    }),
  );
}
