import { ESCALATION_TARGETS } from '../notifications/escalation.js';
import { type Address, isOperator, isUser, OPERATOR } from '../notifications/recipients.js';
import type { Message } from './message.js';

/** The people and programs that notifications are for. */
export const RECIPIENT_ROLES = [...ESCALATION_TARGETS, OPERATOR] as const;

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
  if (isOperator({ recipient })) return { role: OPERATOR };
  const [, ...id] = recipient.split(':');
  const role = isUser({ recipient }) ? 'user' : 'carer';
  return { role, user_id: id.join(':'), ...(name !== undefined && { contact: { name } }) };
}
