import type { KnownAction } from './facts.js';
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
 * or, if that is not open, the last. What exceeds it is surplus. If some pills of that dose were taken before, a removal of
 * just as many pills as the next untouched dose has is that next dose, provided that it exceeds what the earlier one still
 * needs.
 */
export function matchRemovals(
  doses: readonly DueDose[],
  removals: readonly Removal[],
): { intakes: DoseIntake[]; surplus: Surplus[] } {
  const intakes = doses.map((dose): DoseIntake => ({ dose, pills: 0, removals: [] }));
  const surplus: Surplus[] = [];
  for (const removal of [...removals].sort((one, other) => one.time - other.time)) {
    const { time: closedAt, pillsTaken, openedAt = closedAt } = removal;
    const during = (from: number, to: number): DoseIntake[] =>
      intakes.filter(({ dose }) => dose.opens <= to && from <= dose.missedAt);
    const atClosing = during(closedAt, closedAt);
    // pills leave a bottle between its opening and its closing
    const possible = atClosing.length > 0 ? atClosing : during(openedAt, closedAt).filter(isUnfinished);
    const time = atClosing.length > 0 ? closedAt : openedAt;
    const unfinished = possible.filter(isUnfinished);
    const meant = unfinished.find(({ dose }) => time <= ratherUntil(dose, doses)) ?? unfinished.at(-1);
    const needed = meant ? meant.dose.pills - meant.pills : 0;
    const later = meant ? unfinished.filter(({ dose }) => dose.at > meant.dose.at) : [];
    const untouched = later.find(({ pills }) => pills === 0);
    const isBegun = meant !== undefined && meant.pills > 0;
    const isNextDose = isBegun && pillsTaken > needed && untouched?.dose.pills === pillsTaken;
    const taking = isNextDose ? untouched : meant;
    const used = taking ? Math.min(pillsTaken, taking.dose.pills - taking.pills) : 0;
    if (taking) {
      taking.pills += used;
      taking.lastAt = Math.max(time, taking.dose.opens);
      taking.removals.push(removal);
      if (taking.pills === taking.dose.pills) taking.wholeAt = taking.lastAt;
    }
    if (used < pillsTaken)
      surplus.push({ time: closedAt, pills: pillsTaken - used, dueThen: possible.length > 0 });
  }
  return { intakes, surplus };
}

const isUnfinished = ({ dose, pills }: DoseIntake): boolean => pills < dose.pills;

function ratherUntil({ at }: DueDose, doses: readonly DueDose[]): number {
  const next = doses.find((other) => other.at > at);
  return next ? at + EARLIER_ONE * (next.at - at) : Infinity;
}
