import type { NotifiedStep } from '../../../api/schema.js';
import { channelName } from '../../../channels.js';
import { joinList, t } from '../../../i18n/i18n.js';

const REASONS: Record<NonNullable<NotifiedStep['reason']>, string> = {
  no_address: t('no address'),
  email_unverified: t('e-mail address not verified'),
  email_not_set_up: t('no mail server'),
  email_refused: t('e-mail address refused the last message'),
  sms_unverified: t('number not verified'),
  sms_not_set_up: t('no gateway for SMS'),
  sms_refused: t('number refused the last SMS'),
  sms_paused: t('replied STOP'),
  push_not_set_up: t('no key for messages in the browser'),
  push_refused: t('none of their browsers takes them'),
  webhook_refused: t('webhook takes none for this person'),
  webhook_not_taken: t('no webhook endpoint takes any'),
  no_notifier: t('no notifier is running'),
};

const ROLES: Record<NotifiedStep['to'] | 'operator', string> = {
  user: t('the user'),
  carer: t('the carer'),
  operator: t('the operator'),
};

/** Whom a step reaches: `Anna by SMS`, `Jonas (e-mail address not verified: goes to the operator by webhook)`. */
export function reachedText({ to, named, goes_to, name, addresses, reason }: NotifiedStep): string {
  const step = named ?? ROLES[to];
  const channels = joinList(addresses.map(({ channel }) => channelName(channel)));
  if (reason === null) return t('{{person}} by {{channels}}', { person: step, channels });
  if (goes_to === null)
    return t('{{person}} ({{reason}}: goes to nobody)', { person: step, reason: REASONS[reason] });
  return t('{{person}} ({{reason}}: goes to {{other}} by {{channels}})', {
    person: step,
    reason: REASONS[reason],
    other: name ?? ROLES[goes_to],
    channels,
  });
}
