import type { Alert } from '../api/types.js';
import type { Meaning } from '../ui/Mark.js';

/** How alerts end, as the API names it. Only good news is green. */
const ENDINGS: Record<string, Meaning> = {
  taken_late: { label: 'Taken late', tone: 'open', shape: 'clock' },
  partial: { label: 'Partly taken', tone: 'open', shape: 'half' },
  missed: { label: 'Missed', tone: 'late', shape: 'cross' },
  unknown: { label: 'Cannot be known', tone: 'unknown', shape: 'question' },
  lid_closed: { label: 'Lid closed', tone: 'ok', shape: 'check' },
  back_online: { label: 'Back online', tone: 'ok', shape: 'check' },
  refilled: { label: 'Refilled', tone: 'ok', shape: 'check' },
  enough_pills: { label: 'Pills last long enough', tone: 'ok', shape: 'check' },
  count_agrees: { label: 'Weight and count agree', tone: 'ok', shape: 'check' },
  other_medication: { label: 'Other medication in the bottle', tone: 'unknown', shape: 'check-ring' },
  charged: { label: 'Battery charged', tone: 'ok', shape: 'check' },
  incident_over: { label: 'Bottles back online', tone: 'ok', shape: 'check' },
  retracted: { label: 'Retracted', tone: 'unknown', shape: 'slashed' },
  closed_by_staff: { label: 'Closed', tone: 'unknown', shape: 'check-ring' },
};

/** How an alert ended; undefined while it is open or acknowledged. */
export function endingOf({ state, ended_as }: Pick<Alert, 'state' | 'ended_as'>): Meaning | undefined {
  if (ended_as !== null) {
    const label = ended_as.replaceAll('_', ' ');
    return ENDINGS[ended_as] ?? { label, tone: 'unknown', shape: 'check-ring' };
  }
  if (state === 'open' || state === 'acknowledged') return undefined;
  return { label: 'Ended', tone: 'unknown', shape: 'check-ring' };
}

/** Why staff close an alert. */
export const CLOSE_REASONS = {
  device_fault: 'Device fault',
  duplicate: 'Duplicate',
  settled_by_phone: 'Settled by phone',
  not_relevant: 'Not relevant',
  other: 'Other',
} as const;

export type CloseReason = keyof typeof CLOSE_REASONS;

/** `Closed by Carol Smith: device fault`; undefined unless staff closed the alert. */
export function closingText({ closing }: Pick<Alert, 'closing'>): string | undefined {
  if (closing === null) return undefined;
  const { by, reason, note } = closing;
  const why = reason === 'other' ? note : (CLOSE_REASONS[reason] ?? reason).toLowerCase();
  return why ? `Closed by ${by}: ${why}` : `Closed by ${by}`;
}

/** How an alert ended and, if staff closed it, who did and why: `Missed · closed by Carol Smith: duplicate`. */
export function endingText(alert: Pick<Alert, 'state' | 'ended_as' | 'closing'>): string | undefined {
  const closed = closingText(alert);
  const label = endingOf(alert)?.label;
  if (closed === undefined || alert.ended_as === 'closed_by_staff') return closed ?? label;
  return label === undefined ? closed : `${label} · ${closed.replace('Closed', 'closed')}`;
}
