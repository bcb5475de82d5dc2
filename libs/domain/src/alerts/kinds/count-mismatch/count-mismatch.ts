import { agrees, differenceOf, differs } from './tolerance.js';
import { inOrder, type Weighing } from './weighing.js';

/** How many of a bottle's last closings are looked at. */
export const WEIGHINGS_LOOKED_AT = 30;

/** How many must agree in a row before a difference is an alert: a bottle that never agreed may hold other pills of that name. */
const TO_TRUST = 5;
/** In a row, to begin or to end. */
const TO_TURN = 2;

/**
 * `undecided`: what was true before stays true.
 */
export type CountComparison = { result: 'agrees' | 'undecided' } | { result: 'differs'; since: Date };

/**
 * Compares weight and count of a bottle's last closings. They differ when they agreed five times in a row and then
 * differ twice in a row in the same direction; that is over when they agree twice in a row, which is less than half
 * of the tolerance. So a scale that creeps with heat, or a single bad weighing, changes nothing.
 *
 * A function of the set of weighings: their order does not matter.
 *
 * @param pillMass what one pill of the medication weighs, grams
 */
export function judgeCount(weighings: readonly Weighing[], pillMass: number): CountComparison {
  let [trusted, agreeing, differing, direction] = [false, 0, 0, 0];
  let since: Date | undefined;
  let first: Date | undefined;
  for (const weighing of inOrder(weighings)) {
    const side = differs(weighing, pillMass) ? Math.sign(differenceOf(weighing, pillMass)) : 0;
    agreeing = agrees(weighing, pillMass) ? agreeing + 1 : 0;
    differing = side === 0 ? 0 : side === direction ? differing + 1 : 1;
    direction = side;
    if (differing === 1) first = weighing.time;
    if (since === undefined && trusted && differing >= TO_TURN) since = first;
    if (since !== undefined && agreeing >= TO_TURN) [since, trusted] = [undefined, false];
    trusted ||= agreeing >= TO_TRUST;
  }
  if (since) return { result: 'differs', since };
  return { result: agreeing >= TO_TURN ? 'agrees' : 'undecided' };
}
