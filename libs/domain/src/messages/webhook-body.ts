import type { Address } from '../notifications/recipients.js';
import type { Message } from './message.js';

/** The people and programs that notifications are for. */
export const RECIPIENT_ROLES = ['user', 'carer', 'operator'] as const;

/** Whom a notification is for. */
export interface WebhookRecipient {
  role: (typeof RECIPIENT_ROLES)[number];
  /** The user whose contact it is; absent for the operator. */
  user_id?: string;
  /** The person as the contact names them; absent if it has no name. */
  contact?: { name: string };
}

/** The JSON body of a webhook. */
export type WebhookBody = Omit<Message, 'data'> & {
  data: Message['data'] & { step: string; recipient: WebhookRecipient };
};

/**
 * A message as a program gets it, with whom it is for: one alert is sent to the user and to the carer.
 *
 * @param name of the recipient, if the contact has one.
 */
export function webhookBody(
  message: Message,
  { recipient, step }: Pick<Address, 'recipient'> & { step: string },
  name: string | undefined,
): WebhookBody {
  return { ...message, data: { ...message.data, step, recipient: recipientView(recipient, name) } };
}

/** @param recipient as in {@link Address} */
function recipientView(recipient: string, name: string | undefined): WebhookRecipient {
  const [role, ...id] = recipient.split(':');
  if (role !== 'user' && role !== 'carer') return { role: 'operator' };
  return { role, user_id: id.join(':'), ...(name !== undefined && { contact: { name } }) };
}
