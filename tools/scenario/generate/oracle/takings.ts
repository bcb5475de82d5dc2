import type { KnownAction } from './facts.js';
import type { DueDose } from './due-doses.js';

/** Pills taken out at one closing. */
export type Removal = Pick<KnownAction, 'time' | 'pillsTaken'>;

/** What was taken of a dose; `wholeAt` is absent while pills are lacking. */
export interface Taking {
  dose: DueDose;
  pills: number;
  wholeAt?: number;
}

/** Pills that no dose takes. `dueThen` says whether some dose could be taken at that time. */
export interface Surplus {
  time: number;
  pills: number;
  dueThen: boolean;
}

/**
 * Who looks into the bottle and the diary: removals in the order of time, each for the earliest dose that it can
 * be for and that is not whole. It serves that one only; what is left of it is too much.
 */
export function giveOut(
  doses: readonly DueDose[],
  removals: readonly Removal[],
): { takings: Taking[]; surplus: Surplus[] } {
  const takings = doses.map((dose): Taking => ({ dose, pills: 0 }));
  const surplus: Surplus[] = [];
  for (const { time, pillsTaken } of [...removals].sort((one, other) => one.time - other.time)) {
    const possible = takings.filter(({ dose }) => dose.opens <= time && time <= dose.missedAt);
    const taking = possible.find(({ dose, pills }) => pills < dose.pills);
    const used = taking ? Math.min(pillsTaken, taking.dose.pills - taking.pills) : 0;
    if (taking) {
      taking.pills += used;
      if (taking.pills === taking.dose.pills) taking.wholeAt = time;
    }
    if (used < pillsTaken) surplus.push({ time, pills: pillsTaken - used, dueThen: possible.length > 0 });
  }
  return { takings, surplus };
}
