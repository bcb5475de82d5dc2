import { statementIn } from '../attestations/attestation.js';

/** How the condition of one kind of alert can end. */
export interface Endings<Name extends string = string> {
  /** The public names. */
  names: readonly Name[];
  /** Which of them it was. */
  of: (evidence: Record<string, unknown>) => Name | undefined;
}

/** @param of may be left out where there is but one name */
export function endsIn<const Name extends string>(
  names: readonly [Name, ...Name[]],
  of: Endings<Name>['of'] = () => names[0],
): Endings<Name> {
  return { names, of };
}

const MEASURED = ['taken_late', 'partial', 'missed', 'unknown'] as const;

/** How the alert of a dose ends: as people stated, or else as the bottle measured. */
export const DOSE_ENDINGS = endsIn([...MEASURED, 'reported_taken', 'reported_skipped'], (evidence) => {
  const settled = statementIn(evidence)?.settled;
  if (settled === 'taken' || settled === 'skipped') return `reported_${settled}`;
  return MEASURED.find((outcome) => outcome === evidence['outcome']);
});

/** The newer action that ended an open lid is an opening: nobody knows how long it was closed before, if it was. */
export function wasOpenedAgain({ ended_by }: Record<string, unknown>): boolean {
  return (ended_by as { action?: unknown } | undefined)?.action === 'opened';
}

/** No action ended it: by its count the bottle was closed, and that report was lost. */
export function isClosingLost({ unreported_pills }: Record<string, unknown>): boolean {
  return unreported_pills !== undefined;
}

/** Fewer pills may be needed, too, because the schedule changed. */
export function wasRefilled({ pills, pills_after_refill: after }: Record<string, unknown>): boolean {
  return typeof after !== 'number' || typeof pills !== 'number' || after > pills;
}
