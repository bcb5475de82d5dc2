import {
  isOperator,
  OPERATOR,
  PERSON_ROLES,
  personIn,
  type Recipient,
  USER,
  userIn,
} from '../notifications/persons.js';
import type { Message } from './message.js';

/** The people and programs that notifications are for. */
export const RECIPIENT_ROLES = [...PERSON_ROLES, OPERATOR] as const;

/** Whom a notification is for. */
export interface WebhookRecipient {
  role: (typeof RECIPIENT_ROLES)[number];
  /** The user whose contact it is; absent for the operator. */
  user_id?: string;
  /** Of a carer: which one; the first is `carer`. */
  carer_id?: string;
  /** The person as the contact names them; absent if it has no name. */
  contact?: { name: string };
}

/** The JSON body of a webhook. */
export type WebhookBody = Omit<Message, 'data'> & {
  data: Message['data'] & { step: string; recipient: WebhookRecipient };
};

/**
 * A message as a program gets it, with whom it is for: one alert is sent to the user and to carers.
 *
 * @param name of the recipient, if the contact has one.
 */
export function webhookBody(
  message: Message,
  { recipient, step }: Recipient & { step: string },
  name: string | undefined,
): WebhookBody {
  return { ...message, data: { ...message.data, step, recipient: recipientView(recipient, name) } };
}

/** @param recipient as in {@link Recipient} */
function recipientView(recipient: string, name: string | undefined): WebhookRecipient {
  if (isOperator({ recipient })) return { role: OPERATOR };
  const [person, user_id] = [personIn(recipient)!, userIn(recipient)!];
  const contact = name !== undefined && { contact: { name } };
  if (person === USER) return { role: 'user', user_id, ...contact };
  return { role: 'carer', user_id, carer_id: person, ...contact };
}
