import type { Alert } from '../../api/types.js';
import { dayAndTime } from '../../time/format.js';

/** An alert in a few words: `Dose of 08:00 CET not taken`. */
export function alertTitle(
  { kind, subject }: Pick<Alert, 'kind' | 'subject'>,
  zone: string,
  now: number,
): string {
  const at = Date.parse(subject);
  switch (kind) {
    case 'missed_dose':
      return Number.isNaN(at) ? 'Dose not taken' : `Dose of ${dayAndTime(at, zone, now)} not taken`;
    case 'extra_dose':
      return Number.isNaN(at)
        ? 'More taken than planned'
        : `More taken than planned, ${dayAndTime(at, zone, now)}`;
    case 'bottle_open':
      return 'Left open';
    case 'bottle_silent':
      return 'Silent';
    case 'low_supply':
      return 'Nearly empty';
    case 'count_mismatch':
      return 'Weight and count differ';
    case 'fleet_incident':
      return 'Many bottles silent at once';
    default:
      return String(kind).replaceAll('_', ' ');
  }
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
