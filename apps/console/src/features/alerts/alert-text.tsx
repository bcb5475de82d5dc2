import { alertKind } from '../../alert-kinds/alert-kinds.js';
import type { Alert } from '../../api/types.js';
import { useNow } from '../../time/clock.js';
import { dayAndTime } from '../../time/format.js';
import { useZone } from '../../time/Moment.js';

/** A short description of an alert: `Dose of 08:00 CET not taken`. */
export function AlertTitle({ alert: { kind, subject } }: { alert: Pick<Alert, 'kind' | 'subject'> }) {
  const zone = useZone();
  const present = useNow();
  const at = Date.parse(subject);
  return alertKind(kind).title(Number.isNaN(at) ? undefined : dayAndTime(at, zone, present));
}

/** An alert's state, and who acknowledged it. */
export function alertStateText(
  { state, snoozed_until, acknowledged_by }: Pick<Alert, 'state' | 'snoozed_until' | 'acknowledged_by'>,
  present: number,
): string {
  switch (state) {
    case 'open':
      return snoozed_until && Date.parse(snoozed_until) > present ? 'Snoozed' : 'Open';
    case 'acknowledged':
      return acknowledged_by ? `Acknowledged by ${acknowledged_by}` : 'Acknowledged';
    case 'resolved':
      return 'Resolved';
    case 'retracted':
      return 'Retracted';
  }
}
