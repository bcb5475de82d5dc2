import { DAY, type KnownAction } from './facts.js';
import type { DueDose } from './due-doses.js';

/** Pills taken out at one closing. */
export type Removal = Pick<KnownAction, 'time' | 'pillsTaken' | 'known'> & {
  /** From which of the bottles of the plan. */
  bottle?: string;
  /** When the bottle was opened for it, if that is known. */
  openedAt?: number;
};

/** What was taken of a dose; `wholeAt` is absent while pills are lacking. */
export interface DoseIntake {
  dose: DueDose;
  pills: number;
  wholeAt?: number;
  /** What was removed for it, in order. */
  removals: Removal[];
  /** When the last of them was taken; absent before any. */
  lastAt?: number;
}

/** Pills that no dose takes. `dueThen` says whether some dose could be taken at that time. */
export interface Surplus {
  time: number;
  pills: number;
  dueThen: boolean;
}

/** Between two doses, what is taken in the first three quarters of the time is rather the earlier one. */
const EARLIER_ONE = 0.75;

/**
 * Matches removals, in the order of time, to doses: each to one open dose that is not complete, the one that it rather is
 * or, if that is not open, the last. The time is that of the opening, and every dose that could be taken since then may be
 * meant, as far back as there was one to take at any moment. What exceeds it is of those that could be taken only later, or
 * else surplus. If some pills of that dose were taken before, a removal of just as many pills as the next untouched dose
 * has is that next dose, provided that it exceeds what the earlier one still needs.
 */
export function matchRemovals(
  doses: readonly DueDose[],
  removals: readonly Removal[],
): { intakes: DoseIntake[]; surplus: Surplus[] } {
  const intakes = doses.map((dose): DoseIntake => ({ dose, pills: 0, removals: [] }));
  const surplus: Surplus[] = [];
  for (const removal of [...removals].sort((one, other) => one.time - other.time)) {
    const { time: closedAt, pillsTaken, openedAt = closedAt } = removal;
    const around = unbroken(intakes, closedAt);
    const first = around[0]?.dose.opens ?? closedAt;
    // pills leave a bottle between its opening and its closing
    const time = openedAt >= first - DAY ? openedAt : closedAt;
    const unfinished = around.filter((intake) => time <= intake.dose.missedAt && isUnfinished(intake));
    const meant = unfinished.find(({ dose }) => time <= ratherUntil(dose, doses)) ?? unfinished.at(-1);
    const needed = meant ? meant.dose.pills - meant.pills : 0;
    const later = meant ? unfinished.filter(({ dose }) => dose.at > meant.dose.at) : [];
    const untouched = later.find(({ pills }) => pills === 0);
    const isBegun = meant !== undefined && meant.pills > 0;
    const isNextDose = isBegun && pillsTaken > needed && untouched?.dose.pills === pillsTaken;
    const own = isNextDose ? untouched : meant;
    const openedLater = unfinished.filter((intake) => intake !== own && intake.dose.opens > time);
    let left = pillsTaken;
    for (const taking of own ? [own, ...openedLater] : []) {
      if (left === 0) break;
      const used = Math.min(left, taking.dose.pills - taking.pills);
      left -= used;
      taking.pills += used;
      const isDueAtClosing = taking.dose.opens <= closedAt && closedAt <= taking.dose.missedAt;
      taking.lastAt = isDueAtClosing ? closedAt : Math.max(time, taking.dose.opens);
      taking.removals.push(removal);
      if (taking.pills === taking.dose.pills) taking.wholeAt = taking.lastAt;
    }
    const dueThen = own !== undefined || around.some(({ dose }) => closedAt <= dose.missedAt);
    if (left > 0) surplus.push({ time: closedAt, pills: left, dueThen });
  }
  return { intakes, surplus };
}

/** The doses that could be taken up to a time, as far back as there was one to take at any moment in between. */
function unbroken(intakes: readonly DoseIntake[], until: number): DoseIntake[] {
  const begun = intakes.filter(({ dose }) => dose.opens <= until);
  let from = begun.at(-1)?.dose.opens ?? until;
  for (;;) {
    const joined = begun.filter(({ dose }) => dose.opens < from && from <= dose.missedAt);
    if (joined.length === 0) return begun.filter(({ dose }) => dose.opens >= from);
    from = Math.min(...joined.map(({ dose }) => dose.opens));
  }
}

const isUnfinished = ({ dose, pills }: DoseIntake): boolean => pills < dose.pills;

function ratherUntil({ at }: DueDose, doses: readonly DueDose[]): number {
  const next = doses.find((other) => other.at > at);
  return next ? at + EARLIER_ONE * (next.at - at) : Infinity;
}
