import type { KnownAction } from './facts.js';
import type { DueDose } from './due-doses.js';

/** Pills taken out at one closing. */
export type Removal = Pick<KnownAction, 'time' | 'pillsTaken' | 'known'>;

/** What was taken of a dose; `wholeAt` is absent while pills are lacking. */
export interface DoseIntake {
  dose: DueDose;
  pills: number;
  wholeAt?: number;
  /** When we learned of the last of its removals. */
  knownAt: number;
}

/** Pills that no dose takes. `dueThen` says whether some dose could be taken at that time. */
export interface Surplus {
  time: number;
  pills: number;
  dueThen: boolean;
}

/**
 * Matches removals, in the order of time, to doses: each to the earliest open dose that is not complete, and to that
 * one only. What exceeds it is surplus. If some pills of that dose were taken before, a removal of just as many pills as
 * the next untouched dose has is that next dose, provided that it exceeds what the earlier one still needs.
 */
export function matchRemovals(
  doses: readonly DueDose[],
  removals: readonly Removal[],
): { intakes: DoseIntake[]; surplus: Surplus[] } {
  const intakes = doses.map((dose): DoseIntake => ({ dose, pills: 0, knownAt: 0 }));
  const surplus: Surplus[] = [];
  for (const { time, pillsTaken, known } of [...removals].sort((one, other) => one.time - other.time)) {
    const possible = intakes.filter(({ dose }) => dose.opens <= time && time <= dose.missedAt);
    const [earliest, ...others] = possible.filter(({ dose, pills }) => pills < dose.pills);
    const untouched = others.find(({ pills }) => pills === 0);
    const needed = earliest ? earliest.dose.pills - earliest.pills : 0;
    const isBegun = earliest !== undefined && earliest.pills > 0;
    const isNextDose = isBegun && pillsTaken > needed && untouched?.dose.pills === pillsTaken;
    const taking = isNextDose ? untouched : earliest;
    const used = taking ? Math.min(pillsTaken, taking.dose.pills - taking.pills) : 0;
    if (taking) {
      taking.pills += used;
      taking.knownAt = Math.max(taking.knownAt, known);
      if (taking.pills === taking.dose.pills) taking.wholeAt = time;
    }
    if (used < pillsTaken) surplus.push({ time, pills: pillsTaken - used, dueThen: possible.length > 0 });
  }
  return { intakes, surplus };
}
