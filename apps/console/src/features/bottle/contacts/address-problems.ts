import type { Contact, ContactDetails } from '../../../api/schema.js';
import { channelName } from '../../../channels.js';
import { t } from '../../../i18n/i18n.js';
import { carerName, carersOf } from './carers.js';

type Health = NonNullable<ContactDetails['email_health']>;

/** The addresses that take no messages, by channel: refused, or paused by the person. */
export function problemsOf({
  email_health,
  sms_health,
  push_health,
  webhook_health,
}: ContactDetails): [string, Health][] {
  const all = Object.entries({
    email: email_health,
    sms: sms_health,
    push: push_health,
    webhook: webhook_health,
  });
  return all.flatMap(([channel, health]): [string, Health][] =>
    health?.state === 'refused' || health?.state === 'paused' ? [[channel, health]] : [],
  );
}

/** Of each person of a contact with such an address, in a few words: `Max (son) takes no messages: e-mail`. */
export function addressProblemTexts(contact: Contact): string[] {
  const user = { name: contact.name ?? t('The user'), details: contact };
  const carers = carersOf(contact).map((carer) => ({ name: carerName(carer), details: carer }));
  return [user, ...carers].flatMap(({ name, details }) => {
    const channels = problemsOf(details).map(([channel]) => channelName(channel));
    if (channels.length === 0) return [];
    return t('{{name}} takes no messages: {{channels}}', { name, channels: channels.join(', ') });
  });
}
