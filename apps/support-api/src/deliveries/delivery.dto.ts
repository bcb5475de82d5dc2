import { DELIVERY_STATUSES, NOTIFICATION_EVENTS, personIn, RECEIPT_STATES } from '#domain';
import { type Contact, type Delivery, DELIVERY_FILTERS, type DeliveryFilter, isEntered } from '#persistence';
import {
  BooleanField,
  EnumField,
  IdField,
  InstantField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
} from '#platform';
import { nameOfActor } from '../alerts/actor.js';
import { PageQuery } from '../http/paging.js';
import { viewOf } from '../http/view.js';

export class ListMessagesQuery extends PageQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'Created at this time or later.',
  })
  from?: string;

  @InstantField({ example: '2026-03-08T00:00:00Z', optional: true, description: 'Created before this time.' })
  to?: string;

  @EnumField(DELIVERY_FILTERS, {
    optional: true,
    description:
      'pending has all that are not sent yet; held only those that wait for something else than their next attempt, ' +
      'such as quiet hours.',
  })
  status?: DeliveryFilter;
}

export class ListDeliveriesQuery extends ListMessagesQuery {
  @IdField({ optional: true })
  alert_id?: string;

  @TextField({
    optional: true,
    pattern: /^(email|sms|console|webhook(:[0-9a-f]{24})?)$/,
    hint: 'must be email, sms, console, webhook, or webhook: and the id of an endpoint',
    description: 'Those over this channel.',
  })
  channel?: string;
}

/** What the network reports of an SMS. */
export class ReceiptDto {
  @InstantField()
  at: Date;

  @EnumField(RECEIPT_STATES, {
    description:
      'accepted: the network has it. delivered: the phone has it. failed: it was not delivered this time. ' +
      'refused: the number takes no message.',
  })
  state: string;

  @TextField({ nullable: true })
  reply: string | null;
}

export class AttemptDto {
  @InstantField()
  at: Date;

  @BooleanField()
  ok: boolean;

  @NumberField({ nullable: true, description: 'HTTP status, if there was a response.' })
  status: number | null;

  @TextField({ nullable: true })
  error: string | null;

  @TextField({
    nullable: true,
    description:
      'The e-mail address or number that it went to; null over other channels, and of earlier versions.',
  })
  address: string | null;

  @ObjectField(() => ReceiptDto, { nullable: true, description: 'The last receipt for it.' })
  receipt: ReceiptDto | null;
}

export class DeliveryDto {
  @TextField({ description: 'Sent with the notification, so that a receiver can drop a repeat.' })
  id: string;

  @IdField()
  alert_id: string;

  @IdField()
  bottle_id: string;

  @TextField()
  kind: string;

  @EnumField(NOTIFICATION_EVENTS, { description: 'What happened to the alert.' })
  event: string;

  @TextField()
  step: string;

  @TextField()
  recipient: string;

  @TextField({
    nullable: true,
    description:
      'Of a person, as the contact names them; null if it does not, and of another carer than that of today.',
  })
  recipient_name: string | null;

  @TextField()
  channel: string;

  @EnumField(DELIVERY_STATUSES)
  status: string;

  @TextField({ nullable: true, description: 'Why it was cancelled, is dead, or was last delayed.' })
  reason: string | null;

  @InstantField()
  created_at: Date;

  @InstantField({ nullable: true })
  next_attempt_at: Date | null;

  @ListField(() => AttemptDto, {
    description: 'All attempts, oldest first, including those before a replay.',
  })
  attempts: AttemptDto[];
}

/** A notification with its text. */
export class MessageDto extends DeliveryDto {
  @TextField({ nullable: true, description: 'Whose bottle it was; null if the alert is erased.' })
  user_id: string | null;

  @TextField({ nullable: true, description: 'Of this user, from the contact; null if there is none.' })
  user_name: string | null;

  @TextField({ nullable: true })
  medication: string | null;

  @TextField({ nullable: true, description: 'By which people tell the bottle from their other ones.' })
  label: string | null;

  @TextField({
    nullable: true,
    description:
      'The e-mail address or number that the last attempt went to; before the first one, that of the contact.',
  })
  address: string | null;

  @TextField({
    nullable: true,
    description:
      'The subject of the e-mail; null if the alert is erased or cannot be read, or with `text_changed`.',
  })
  title: string | null;

  @TextField({
    nullable: true,
    description:
      'The text of the e-mail or SMS, or the JSON for the webhook, without the link to acknowledge; null as `title`.',
  })
  text: string | null;

  @BooleanField({
    description: 'Its text is not known any more: what it was about has changed since it was sent.',
  })
  text_changed: boolean;
}

export class SentDeliveryDto {
  @TextField()
  id: string;

  @IdField()
  bottle_id: string;
}

export class SentPendingDto {
  @ListField(() => SentDeliveryDto, { description: 'The notifications that are sent now.' })
  sent: SentDeliveryDto[];
}

/** @param contact that of its recipient */
export function deliveryView(delivery: Delivery, contact: Contact | undefined): DeliveryDto {
  const { receipts = [], recipient, created_at } = delivery;
  const isPerson = personIn(recipient) !== undefined;
  const attempts = [...(delivery.earlier_attempts ?? []), ...delivery.attempts].map((attempt) => {
    const receipt = receipts.findLast(({ attempt_at }) => attempt_at.getTime() === attempt.at?.getTime());
    return {
      ...attempt,
      // what stands for browsers says nothing to staff
      ...(!isEntered(delivery.channel) && { address: undefined }),
      receipt: receipt ?? null,
    };
  });
  const recipient_name = isPerson ? nameOfActor(recipient, created_at, contact) : undefined;
  return viewOf(DeliveryDto, { ...delivery, recipient_name, attempts });
}
