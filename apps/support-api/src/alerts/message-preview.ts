import {
  canBeAcknowledged,
  composeMessage,
  messageLinks,
  type MessageNames,
  personText,
  smsOf,
  phrasesIn,
} from '#domain';
import {
  addressOver,
  type Alert,
  type ContactDetails,
  type Delivery,
  isEntered,
  isReadByPeople,
} from '#persistence';
import { IdField, linkAddress, TextField } from '#platform';
import type { SupportApiConfig } from '../config.js';

/** A message as its recipient gets it. */
export class MessagePreviewDto {
  @IdField()
  alert_id: string;

  @TextField({
    description: '`operator`, `user:USERID`, `carer:USERID` of the first carer, or `carer.ID:USERID`.',
  })
  recipient: string;

  @TextField()
  channel: string;

  @TextField({
    nullable: true,
    description: 'The e-mail address or number; null for a webhook and for browsers.',
  })
  address: string | null;

  @TextField({ description: 'The subject of the e-mail.' })
  title: string;

  @TextField({
    description:
      'The text of the e-mail or SMS, what a browser shows, or the JSON that the webhook gets; links without their token.',
  })
  text: string;
}

/**
 * A message as its recipient gets it, but for the token of its link: who has that may act as the recipient.
 *
 * @param details those of the recipient, in whose language and zone a message is; English and UTC without them
 * @param names of the person and the bottle, what has one
 */
export function previewOf(
  delivery: Pick<Delivery, 'event' | 'created_at' | 'recipient' | 'channel'>,
  alert: Alert,
  details: ContactDetails | undefined,
  config: SupportApiConfig,
  names: MessageNames,
): MessagePreviewDto {
  const { event, recipient, channel } = delivery;
  const links = messageLinks(event, alert, canBeAcknowledged(alert), linkWithoutToken(config));
  const message = composeMessage(delivery, alert, links, names);
  const phrases = phrasesIn(details?.language, details?.time_zone ?? 'UTC');
  const isSms = channel === 'sms';
  const namesMedication = isSms ? config.SMS_NAMES_MEDICATION : config.MAIL_NAMES_MEDICATION;
  const takesReplies = config.SMS_INCOMING_KEY !== undefined;
  const { title, lines } = personText(message, phrases, namesMedication);
  const textForPerson = isSms
    ? smsOf(message, phrases, { namesMedication, takesReplies })
    : [title, ...(channel === 'push' ? [] : lines)].join('\n');
  const text = isReadByPeople(channel) ? textForPerson : JSON.stringify(message, null, 2);
  const address = (isEntered(channel) && details && addressOver(channel, details)) || null;
  return { alert_id: alert._id.toHexString(), recipient, channel, address, title, text };
}

function linkWithoutToken({ PUBLIC_URL, LINK_SECRET }: SupportApiConfig): string | undefined {
  if (PUBLIC_URL === undefined || LINK_SECRET === undefined) return undefined;
  return linkAddress(PUBLIC_URL, 'a', '…');
}
