import { t } from '../i18n/i18n.js';
/** Labels of the events that a notification can be about, as the API names them. */
const MESSAGE_EVENTS: Record<string, string> = {
  raised: t('alert'),
  escalated: t('reminder'),
  missed: t('dose missed'),
  partial: t('dose taken in part'),
  corrected: t('correction: dose taken in part'),
  summary: t('summary of missed doses'),
  unconfirmed: t('doses cannot be confirmed'),
  unknown: t('dose cannot be confirmed'),
  resolved: t('all clear'),
  reported_taken: t('dose reported taken'),
  reported_skipped: t('dose reported skipped'),
  statement_withdrawn: t('statement no longer counts'),
  monitored_again: t('dose not taken yet, after all'),
  not_taken_yet: t('dose not taken yet, by what was reported since'),
  closed_by_staff: t('alert closed'),
  retracted: t('alert retracted'),
};

/** The label of an event; one that only a newer server knows, as it is. */
export function messageEventLabel(event: string): string {
  return MESSAGE_EVENTS[event] ?? event.replaceAll('_', ' ');
}
