import { isTaken, type SlotJudgement } from '../doses/judge.js';
import type { UnmatchedPills } from '../doses/match.js';
import { type Attestation, attestorText, type Reported } from './attestation.js';

/** A dose as people are notified of it. */
export interface StatedDose extends SlotJudgement {
  /** Whose word it is, for a sentence, that its pills, which are those of `matched`, were removed for later. */
  for_later_by?: string;
}

/**
 * Doses as people are notified of them: one whose pills were removed for later, as the statement that counts has it, is
 * late and then missed like any other that was not taken (ATTEST-14). A person's word needs no contact that proves it.
 * Pills that are removed after the statement may be the dose: then what was measured counts.
 *
 * @param reports by the epoch milliseconds of their slots
 * @param unmatched the bottle's pills that count for no dose
 */
export function asStated(
  doses: readonly SlotJudgement[],
  unmatched: readonly Pick<UnmatchedPills, 'time'>[],
  reports: ReadonlyMap<number, Reported>,
  now: Date,
): StatedDose[] {
  return doses.map((dose) => {
    const latest = reports.get(dose.slot.scheduled_at.getTime())?.latest;
    const isForLater =
      latest?.kind === 'not_taken' &&
      (dose.outcome === 'partial' || (dose.outcome && isTaken(dose.outcome))) &&
      !isRemovedSince(dose, unmatched, latest.at);
    return isForLater ? notTaken(dose, latest, now) : dose;
  });
}

const isRemovedSince = (
  { slot, matched }: SlotJudgement,
  unmatched: readonly Pick<UnmatchedPills, 'time'>[],
  since: Date,
): boolean => [...matched, ...unmatched].some(({ time }) => since < time && time <= slot.missed_at);

function notTaken({ slot, matched }: SlotJudgement, statement: Attestation, now: Date): StatedDose {
  const base = {
    slot,
    pills_taken: 0,
    matched,
    awaiting_contact: false,
    for_later_by: attestorText(statement),
  };
  if (now >= slot.missed_at) return { ...base, phase: 'judged', outcome: 'missed' };
  if (now >= slot.late_at) return { ...base, phase: 'late', next_look_at: slot.missed_at };
  return { ...base, phase: 'pending', next_look_at: slot.late_at };
}
