import { Trans } from 'react-i18next';
import type { ContactDetails } from '../../../api/schema.js';
import { channelName } from '../../../channels.js';
import { t } from '../../../i18n/i18n.js';
import { Moment } from '../../../time/Moment.js';
import classes from './Contacts.module.css';

type Health = NonNullable<ContactDetails['email_health']>;

/** The addresses that take no messages, by channel: refused, or paused by the person. */
function problemsOf({
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

/** What is wrong with the addresses of a person, and since when. */
export function AddressProblems({ of }: { of: ContactDetails }) {
  return problemsOf(of).map(([channel, health]) => (
    <p key={channel} className={classes['warning']}>
      {health.state === 'paused' ? (
        <Trans
          i18nKey="Paused by the person since <at/>: {{channel}}"
          values={{ channel: channelName(channel) }}
          components={{ at: <Moment at={health.since!} /> }}
        />
      ) : (
        <Trans
          i18nKey="Takes no messages since <at/>: {{channel}}. {{by}} refused the last one: {{reply}}"
          values={{ channel: channelName(channel), by: health.by, reply: health.reply }}
          components={{ at: <Moment at={health.since!} /> }}
        />
      )}
    </p>
  ));
}

/** That there is something wrong with an address of these people, in a few words; undefined if there is not. */
export function addressProblemText(people: readonly (ContactDetails | undefined)[]): string | undefined {
  const channels = people.flatMap((one) => (one ? problemsOf(one).map(([channel]) => channel) : []));
  if (channels.length === 0) return undefined;
  const names = [...new Set(channels)].map(channelName).join(', ');
  return t('Takes no messages: {{channels}}', { channels: names });
}
