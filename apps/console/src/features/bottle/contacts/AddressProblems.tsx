import { Trans } from 'react-i18next';
import type { ContactDetails } from '../../../api/schema.js';
import { channelName } from '../../../channels.js';
import { Moment } from '../../../time/Moment.js';
import { problemsOf } from './address-problems.js';
import classes from './Contacts.module.css';

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
