import { type Message, personText } from '#domain';
import type { Alert, ContactDetails, Delivery } from '#persistence';
import { Id, Text } from '../http/view.js';

/** A message as its recipient gets it. */
export class MessagePreviewDto {
  @Id()
  alert_id: string;

  @Text({ description: '`operator`, `user:ID` or `carer:ID`.' })
  recipient: string;

  @Text()
  channel: string;

  @Text({ description: 'The subject of the e-mail.' })
  title: string;

  @Text({ description: 'The text of the e-mail, or the JSON that the webhook gets.' })
  text: string;
}

/**
 * @param details those of the recipient, in whose zone an e-mail shows its times; UTC without them
 * @param namesMedication MAIL_NAMES_MEDICATION
 */
export function previewOf(
  message: Message,
  alert: Alert,
  { recipient, channel }: Pick<Delivery, 'recipient' | 'channel'>,
  details: ContactDetails | undefined,
  namesMedication: boolean,
): MessagePreviewDto {
  const { title, lines } = personText(message, details?.time_zone ?? 'UTC', namesMedication);
  const text = channel === 'email' ? [title, ...lines].join('\n') : JSON.stringify(message, null, 2);
  return { alert_id: alert._id.toHexString(), recipient, channel, title, text };
}
