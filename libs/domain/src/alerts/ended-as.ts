import type { Alert } from './alert.js';
import { type AlertEnding, endingByEvidence } from './alert-kinds.js';

/** How the alert ended; undefined while it is open or acknowledged. */
export function endingOf(alert: Alert): AlertEnding | undefined {
  if (alert.state === 'retracted') return 'retracted';
  if (alert.state === 'closed') return 'closed_by_staff';
  if (alert.state !== 'resolved') return undefined;
  return endingByEvidence(alert) ?? (alert.closing && 'closed_by_staff');
}
