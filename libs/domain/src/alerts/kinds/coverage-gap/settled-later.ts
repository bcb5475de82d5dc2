import { isTaken, type SlotJudgement } from '../../../doses/judge.js';
import type { Alert } from '../../alert.js';
import type { AlertToEnd } from '../../findings.js';

/**
 * How the alert of a dose that a coverage gap left unconfirmed is corrected once there is an outcome. That the dose was
 * taken, or not monitored, is a correction for whoever was notified, unless an alert of the dose says so; anything else has notifications
 * of its own.
 *
 * @param hasOwnAlert whether there is an alert `missed_dose` of the dose
 */
export function settledLater(
  alert: Alert<'coverage_gap'>,
  { outcome, pills_taken, taken_at, period }: SlotJudgement,
  hasOwnAlert: boolean,
  now: Date,
): AlertToEnd<'coverage_gap'> | undefined {
  if (alert.state !== 'resolved' || !outcome || outcome === 'unknown') return undefined;
  const evidence = { outcome, pills_taken, ...(taken_at && { taken_at }), ...(period && { period }) };
  const end = { state: 'retracted', at: now, by: 'notifier', evidence } as const;
  const isCorrected = isTaken(outcome) || outcome === 'not_monitored';
  return { alert, end: isCorrected && !hasOwnAlert ? { ...end, owed: 'retracted' } : end };
}
