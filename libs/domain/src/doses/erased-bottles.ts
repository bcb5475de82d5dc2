import { isTaken, type DoseOutcome, type SlotJudgement } from './judge.js';
import type { SharedPlan } from './shared-plan.js';

/** The outcome of a dose that is on record. */
export interface RecordedDose {
  outcome: DoseOutcome;
  pills_taken: number;
  taken_at?: Date;
}

type Spans = readonly Required<Pick<SharedPlan, 'from' | 'until'>>[];

/** Whether the window of a dose touches a time in which a bottle, which is erased since, was for its plan. */
export function mayBeErased({ slot }: Pick<SlotJudgement, 'slot'>, erased: Spans): boolean {
  return erased.some(({ from, until }) => from <= slot.missed_at && slot.early_from < until);
}

/**
 * A dose of a plan of which a bottle is erased: what was taken from it is not known any more, so that the dose stays as it
 * is on record if that has more of it.
 *
 * @param erased when bottles that are erased were for the plan
 */
export function withErased(
  judgement: SlotJudgement,
  erased: Spans,
  recorded: RecordedDose | undefined,
): SlotJudgement {
  const { slot, pills_taken: known, matched } = judgement;
  if (!recorded || recorded.pills_taken <= known || !mayBeErased(judgement, erased)) return judgement;
  const { pills_taken, taken_at } = recorded;
  const isWhole = isTaken(recorded.outcome) && pills_taken >= slot.pills;
  const base = { slot, phase: 'judged', pills_taken, matched, awaiting_contact: false } as const;
  return isWhole
    ? { ...base, outcome: recorded.outcome, ...(taken_at && { taken_at }) }
    : { ...base, outcome: 'partial' };
}
