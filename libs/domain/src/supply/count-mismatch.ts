import { isSettled, type PillWeight, type Weighing } from './pill-weight.js';

/** How far weight and count may differ, and how often they must before it is said. */
export interface MismatchTolerance {
  /** Pills by which they may differ. */
  pills: number;
  /** Share of the count by which they may differ; the larger of the two holds. */
  share: number;
  /** Share of the tolerance below which a mismatch may end: the band between is the hysteresis. */
  clear_at: number;
  /** Weighings in a row that are needed to begin or to end. */
  readings: number;
}

/** One and a half pills or 5 %, ending below half of that, two weighings in a row. */
export const MISMATCH_TOLERANCE: MismatchTolerance = { pills: 1.5, share: 0.05, clear_at: 0.5, readings: 2 };

/** Kept between the weighings of one bottle, taken in order of time. */
export interface MismatchState {
  mismatch: boolean;
  /** Weighings in a row that spoke against `mismatch`. */
  against: number;
}

export interface MismatchResult {
  state: MismatchState;
  /** Pills by weight less pills by count; absent while the pill weight is not settled. */
  difference?: number;
}

/**
 * Compares weight and count of one weighing. Load cells creep with heat (edge-cases.md), therefore a difference
 * must exceed the tolerance several times in a row, and must fall well below it as often before it is over.
 *
 * @param state what the last weighing returned; undefined at first
 * @param weight the medication's learned weight; without a settled one nothing changes
 */
export function judgeCountMismatch(
  state: MismatchState | undefined,
  weighing: Weighing,
  weight: PillWeight | undefined,
  tolerance: MismatchTolerance = MISMATCH_TOLERANCE,
): MismatchResult {
  const before = state ?? { mismatch: false, against: 0 };
  if (!weight || !isSettled(weight)) return { state: before };
  const difference = weighing.mass_of_contents / weight.mass - weighing.number_of_pills;
  const allowed = Math.max(tolerance.pills, tolerance.share * weighing.number_of_pills);
  const off = Math.abs(difference);
  const speaksAgainst = before.mismatch ? off < allowed * tolerance.clear_at : off > allowed;
  const against = speaksAgainst ? before.against + 1 : 0;
  const turned = against >= tolerance.readings;
  return { state: { mismatch: before.mismatch !== turned, against: turned ? 0 : against }, difference };
}
