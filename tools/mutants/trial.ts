import type { Fault } from './fault.js';
import type { PlantedFile } from './plant.js';

/** A fault and the file that it is planted in; neither to see that nothing fails without one. */
export interface Planted {
  name: string;
  file: PlantedFile;
}

/** What failed; nothing if nothing did. `broken`: the trial itself did not run, which proves nothing. */
export interface TrialResult {
  caughtBy?: string;
  broken?: string;
}

export const isTest = (proof: string): boolean => proof.includes('.ts');

/** The scenarios, or the tests, that a fault names. */
export function proofsOf({ caughtBy }: Pick<Fault, 'caughtBy'>, kind: 'scenarios' | 'tests'): string[] {
  return caughtBy.filter((proof) => isTest(proof) === (kind === 'tests'));
}
