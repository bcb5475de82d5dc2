import type { Alert } from '../api/schema.js';
import type { CloseReason } from '../api/vocabulary.js';
import type { Meaning } from '../ui/Mark.js';
import { ALERT_KIND_TABLE, type AlertKindEntry } from './alert-kinds.js';
import { t } from '../i18n/i18n.js';

/** How alerts end, as the API names it. */
const ENDINGS: Record<string, Meaning> = {
  ...Object.fromEntries(
    Object.values<AlertKindEntry>(ALERT_KIND_TABLE).flatMap(({ endings = {} }) => Object.entries(endings)),
  ),
  retracted: { label: t('Retracted'), tone: 'unknown', shape: 'slashed' },
  closed_by_staff: { label: t('Closed'), tone: 'unknown', shape: 'check-ring' },
};

/**
 * How an alert ended; undefined while it is open or acknowledged. An ending that only a newer server knows is shown as
 * the API writes it.
 */
export function endingOf({
  state,
  ended_as,
}: Pick<Alert, 'state'> & { ended_as: string | null }): Meaning | undefined {
  if (ended_as !== null) {
    const label = ended_as.replaceAll('_', ' ');
    return ENDINGS[ended_as] ?? { label, tone: 'unknown', shape: 'check-ring' };
  }
  if (state === 'open' || state === 'acknowledged') return undefined;
  return { label: t('Ended'), tone: 'unknown', shape: 'check-ring' };
}

/** Labels of the reasons. */
export const CLOSE_REASONS = {
  device_fault: t('Device fault'),
  duplicate: t('Duplicate'),
  settled_by_phone: t('Settled by phone'),
  not_relevant: t('Not relevant'),
  not_in_use: t('Bottle not in use'),
  other: t('Other'),
} as const satisfies Record<CloseReason, string>;

/** In the middle of a sentence. */
const REASONS_IN_TEXT: Record<CloseReason, string> = {
  device_fault: t('device fault'),
  duplicate: t('duplicate'),
  settled_by_phone: t('settled by phone'),
  not_relevant: t('not relevant'),
  not_in_use: t('bottle not in use'),
  other: t('other'),
};

/** A reason in the middle of a sentence: `device fault`. */
export function closeReasonText(reason: CloseReason): string {
  return REASONS_IN_TEXT[reason] ?? reason;
}

/** `Closed by Carol Smith: device fault`; undefined unless staff closed the alert. */
export function closingText({ closing }: Pick<Alert, 'closing'>): string | undefined {
  if (closing === null) return undefined;
  const { by, reason, note } = closing;
  const why = reason === 'other' ? note : closeReasonText(reason);
  return why ? t('Closed by {{by}}: {{why}}', { by, why }) : t('Closed by {{by}}', { by });
}

/** How an alert ended and, if staff closed it, who did and why: `Missed · closed by Carol Smith: duplicate`. */
export function endingText(alert: Pick<Alert, 'state' | 'ended_as' | 'closing'>): string | undefined {
  const closed = closingText(alert);
  const label = endingOf(alert)?.label;
  if (closed === undefined || alert.ended_as === 'closed_by_staff') return closed ?? label;
  return label === undefined ? closed : `${label} · ${closed.charAt(0).toLowerCase()}${closed.slice(1)}`;
}
