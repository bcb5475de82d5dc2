import type { Contact, ContactDetails } from '../../../api/schema.js';
import { t } from '../../../i18n/i18n.js';

const REASONS: Record<NonNullable<ContactDetails['unreachable_reason']>, string> = {
  no_address: t(
    'No message reaches this person: there is no e-mail address, no number for SMS and no webhook.',
  ),
  email_unverified: t('No message reaches this person: the e-mail address is not verified.'),
  email_not_set_up: t('No message reaches this person: the notifier has no mail server.'),
  email_refused: t('No message reaches this person: the mail server refused the last one for good.'),
  sms_unverified: t('No message reaches this person: the number is not verified.'),
  sms_not_set_up: t('No message reaches this person: the notifier has no gateway for SMS.'),
  sms_refused: t('No message reaches this person: the number refused the last one for good.'),
  sms_paused: t('No message reaches this person, who has paused them by replying STOP.'),
  push_not_set_up: t('No message reaches this person: the notifier has no key for messages in the browser.'),
  push_refused: t('No message reaches this person: none of their browsers takes them any more.'),
  webhook_refused: t('No message reaches this person: the webhook answered that it takes none for them.'),
  webhook_not_taken: t(
    'No message reaches this person: no endpoint of the operator’s webhooks takes any at the moment.',
  ),
  no_notifier: t('No message reaches anybody: no notifier is running.'),
};

const INSTEAD: Record<NonNullable<ContactDetails['messages_go_to']>, string> = {
  user: t('Messages go to the user instead.'),
  carer: t('Messages go to the carer instead.'),
  operator: t('Messages go to the operator instead.'),
};

/** Why messages do not reach a person, and who gets them instead; undefined if they do. */
export function unreachableText({ unreachable_reason, messages_go_to }: ContactDetails): string | undefined {
  if (unreachable_reason === undefined) return undefined;
  return [REASONS[unreachable_reason], messages_go_to && INSTEAD[messages_go_to]].filter(Boolean).join(' ');
}

const WARNINGS: Record<NonNullable<Contact['warnings']>[number]['code'], string> = {
  no_bottles: t('No bottle has this user ID: there will be nothing to send.'),
};

/** What is probably wrong with a contact. */
export const warningTexts = ({ warnings = [] }: Contact): string[] =>
  warnings.map(({ code }) => WARNINGS[code]);
