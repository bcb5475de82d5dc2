import type { BottlesOfPlan } from './bottles-of-plan.js';
import type { DueDose } from './due-doses.js';
import type { Outcome } from './facts.js';
import type { DoseIntake } from './intakes.js';

/** What is known of a dose: nothing yet, that it is late, or what became of it. */
export type Judgement = Outcome | 'late' | 'waiting';

/** What is known of a dose by now, unless it may have been taken where no bottle reports it (PLAN-8). */
export function judgeDose(intake: DoseIntake, bottles: BottlesOfPlan, now: number): Judgement {
  const found = judgeReported(intake, bottles, now);
  if (found !== 'late' && found !== 'missed' && found !== 'partial') return found;
  const { dose } = intake;
  if (!bottles.mayHide(dose, found === 'late' ? dose.lateAt : dose.missedAt)) return found;
  return found === 'late' ? 'waiting' : 'unknown';
}

/** What the bottles of its plan show of a dose by now (DOSE-13 to DOSE-19, PLAN-2). */
function judgeReported(
  { dose, pills, wholeAt, removals }: DoseIntake,
  bottles: BottlesOfPlan,
  now: number,
): Judgement {
  if (wholeAt !== undefined) {
    if (wholeAt < dose.at) return 'taken_early';
    return wholeAt <= dose.lateAt ? 'taken_on_time' : 'taken_late';
  }
  if (now >= dose.missedAt) {
    const silent = bottles.silentAt(dose.missedAt, now);
    if (silent.length > 0) {
      // a part that was reported after the end shows that the bottle kept what it had to report
      const isPart = silent.every(({ facts: { key } }) =>
        removals.some(({ bottle, known }) => bottle === key && known > dose.missedAt),
      );
      if (!isPart) return 'unknown';
      return bottles.haveReportedSince(dose.missedAt) ? 'partial' : 'waiting';
    }
    if (bottles.haveReportedSince(dose.missedAt)) return pills > 0 ? 'partial' : 'missed';
  }
  return bottles.haveReportedSince(dose.lateAt) ? 'late' : 'waiting';
}

/** How a dose stands at a moment that nobody takes. */
export function unlessTaken({ lateAt, missedAt }: DueDose, now: number): 'waiting' | 'late' | 'missed' {
  if (now >= missedAt) return 'missed';
  return now >= lateAt ? 'late' : 'waiting';
}
