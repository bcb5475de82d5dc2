import { alertKind } from '../../alert-kinds/alert-kinds.js';
import type { Alert } from '../../api/types.js';
import { dayAndTime } from '../../time/format.js';

/** An alert in a few words: `Dose of 08:00 CET not taken`. */
export function alertTitle(
  { kind, subject }: Pick<Alert, 'kind' | 'subject'>,
  zone: string,
  now: number,
): string {
  const at = Date.parse(subject);
  return alertKind(kind).title(Number.isNaN(at) ? undefined : dayAndTime(at, zone, now));
}

/** How an alert stands, and who has it. */
export function alertStateText(
  alert: Pick<Alert, 'state' | 'snoozed_until' | 'acknowledged_by'>,
  now: number,
): string {
  if (alert.state === 'open' && alert.snoozed_until && Date.parse(alert.snoozed_until) > now)
    return 'Snoozed';
  if (alert.state === 'open') return 'Open';
  if (alert.state === 'acknowledged') {
    return alert.acknowledged_by ? `${alert.acknowledged_by} has it` : 'Acknowledged';
  }
  return alert.state === 'resolved' ? 'Over' : 'Taken back';
}
