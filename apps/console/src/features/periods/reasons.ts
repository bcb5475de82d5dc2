import type { UnmonitoredPeriod } from '../../api/schema.js';
import { t } from '../../i18n/i18n.js';

export type PeriodReason = UnmonitoredPeriod['reason'];

/** Labels of the reasons for which a bottle is not monitored. */
export const PERIOD_REASONS: Record<PeriodReason, string> = {
  hospital: t('Hospital stay'),
  travel: t('Travel'),
  pillbox: t('Doses from a pillbox'),
  other_container: t('Doses from another container'),
  device_fault: t('Device fault'),
  not_in_use: t('Bottle not in use'),
  pause: t('Pause: no dose is to be taken'),
};

const REASONS_IN_TEXT: Record<PeriodReason, string> = {
  hospital: t('hospital stay'),
  travel: t('travel'),
  pillbox: t('doses from a pillbox'),
  other_container: t('doses from another container'),
  device_fault: t('device fault'),
  not_in_use: t('bottle not in use'),
  pause: t('pause'),
};

/** A reason in the middle of a sentence: `hospital stay`. One that only a newer server knows is shown as the API writes it. */
export function periodReasonText(reason: string): string {
  return (REASONS_IN_TEXT as Record<string, string>)[reason] ?? reason.replaceAll('_', ' ');
}
