import { statementIn } from '../attestations/attestation.js';

/** How an alert can end: the public names. */
export const ALERT_ENDINGS = [
  'taken_late',
  'partial',
  'missed',
  'unknown',
  'reported_taken',
  'reported_skipped',
  'lid_closed',
  'opened_again',
  'back_online',
  'refilled',
  'enough_pills',
  'count_agrees',
  'other_medication',
  'charged',
  'incident_over',
  'coverage_restored',
  'retracted',
  'closed_by_staff',
] as const;
export type AlertEnding = (typeof ALERT_ENDINGS)[number];

/** How the alert of a dose ended: as people stated, or else as the bottle measured. */
export function doseEnding(evidence: Record<string, unknown>): AlertEnding | undefined {
  const settled = statementIn(evidence)?.settled;
  if (settled === 'taken' || settled === 'skipped') return `reported_${settled}`;
  const outcome = evidence['outcome'] as AlertEnding | undefined;
  return outcome && DOSE_ENDINGS.includes(outcome) ? outcome : undefined;
}

const DOSE_ENDINGS: readonly AlertEnding[] = ['missed', 'partial', 'unknown', 'taken_late'];

/** The newer action that ended an open lid is an opening: nobody knows how long it was closed before, if it was. */
export function wasOpenedAgain({ ended_by }: Record<string, unknown>): boolean {
  return (ended_by as { action?: unknown } | undefined)?.action === 'opened';
}

/** Fewer pills may be needed, too, because the schedule changed. */
export function wasRefilled({ pills, pills_after_refill: after }: Record<string, unknown>): boolean {
  return typeof after !== 'number' || typeof pills !== 'number' || after > pills;
}
