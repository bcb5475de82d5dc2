import { statementIn } from '../attestations/attestation.js';
import type { AlertKind } from './alert-kinds.js';
import type { Closing } from './closing.js';

/** How an alert can end: the public names. */
export const ALERT_ENDINGS = [
  'taken_late',
  'partial',
  'missed',
  'unknown',
  'reported_taken',
  'reported_skipped',
  'lid_closed',
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

/** What of an alert tells how it ended. */
export interface EndingFacts {
  kind: AlertKind;
  state: string;
  evidence: Record<string, unknown>;
  closing?: Closing | undefined;
}

/** How the alert ended; undefined while it is open or acknowledged. */
export function endingOf({ kind, state, evidence, closing }: EndingFacts): AlertEnding | undefined {
  if (state === 'retracted') return 'retracted';
  if (state === 'closed') return 'closed_by_staff';
  if (state !== 'resolved') return undefined;
  return resolvedBy(kind, evidence) ?? (closing && 'closed_by_staff');
}

/** What ended the condition; undefined if nothing did. */
function resolvedBy(kind: AlertKind, evidence: Record<string, unknown>): AlertEnding | undefined {
  switch (kind) {
    case 'missed_dose':
      return statedEnding(evidence) ?? doseEnding(evidence['outcome']);
    case 'bottle_open':
      return 'lid_closed';
    case 'bottle_silent':
      return 'back_online';
    case 'low_supply':
      return wasRefilled(evidence) ? 'refilled' : 'enough_pills';
    case 'count_mismatch':
      return evidence['agrees_again'] === undefined ? 'other_medication' : 'count_agrees';
    case 'battery_low':
      return 'charged';
    case 'fleet_incident':
      return 'incident_over';
    case 'coverage_gap':
      // of the service, or of a dose in it
      return evidence['rule'] === 'coverage_grace' ? 'unknown' : 'coverage_restored';
    case 'extra_dose':
      return undefined;
  }
}

function statedEnding(evidence: Record<string, unknown>): AlertEnding | undefined {
  const settled = statementIn(evidence)?.settled;
  return settled === 'taken' || settled === 'skipped' ? `reported_${settled}` : undefined;
}

function doseEnding(outcome: unknown): AlertEnding | undefined {
  switch (outcome) {
    case 'missed':
    case 'partial':
    case 'unknown':
    case 'taken_late':
      return outcome;
    default:
      return undefined;
  }
}

/** Fewer pills may be needed, too, because the schedule changed. */
export function wasRefilled({ pills, pills_after_refill: after }: Record<string, unknown>): boolean {
  return typeof after !== 'number' || typeof pills !== 'number' || after > pills;
}
