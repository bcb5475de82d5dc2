import { DELIVERY_STATUSES, NOTIFICATION_EVENTS } from '#domain';
import { type Delivery, DELIVERY_FILTERS, type DeliveryFilter } from '#persistence';
import { EnumField, IdField, InstantField } from '#platform';
import { PageQuery } from '../http/paging.js';
import { Count, Flag, Id, ListOf, Text, Time, viewOf, Choice } from '../http/view.js';

export class ListMessagesQuery extends PageQuery {
  @InstantField({ optional: true, description: 'Created at this time or later.' })
  from?: string;

  @InstantField({ optional: true, description: 'Created before this time.' })
  to?: string;

  @EnumField(DELIVERY_FILTERS, {
    optional: true,
    description:
      'pending has all that are not sent yet; held only those that wait for something else than their next attempt, ' +
      'such as quiet hours.',
  })
  status?: DeliveryFilter;
}

export const rangeOf = ({ from, to }: ListMessagesQuery): { from?: Date; to?: Date } => ({
  ...(from && { from: new Date(from) }),
  ...(to && { to: new Date(to) }),
});

export class ListDeliveriesQuery extends ListMessagesQuery {
  @IdField({ optional: true })
  alert_id?: string;
}

export class AttemptDto {
  @Time()
  at: Date;

  @Flag()
  ok: boolean;

  @Count({ nullable: true, description: 'HTTP status, if there was a response.' })
  status: number | null;

  @Text({ nullable: true })
  error: string | null;
}

export class DeliveryDto {
  @Text({ description: 'Sent with the notification, so that a receiver can drop a repeat.' })
  id: string;

  @Id()
  alert_id: string;

  @Id()
  bottle_id: string;

  @Text()
  kind: string;

  @Choice(NOTIFICATION_EVENTS, { description: 'What happened to the alert.' })
  event: string;

  @Text()
  step: string;

  @Text()
  recipient: string;

  @Text()
  channel: string;

  @Choice(DELIVERY_STATUSES)
  status: string;

  @Text({ nullable: true, description: 'Why it was cancelled, is dead, or was last delayed.' })
  reason: string | null;

  @Time()
  created_at: Date;

  @Time({ nullable: true })
  next_attempt_at: Date | null;

  @ListOf(() => AttemptDto, { description: 'All attempts, oldest first, including those before a replay.' })
  attempts: AttemptDto[];
}

/** A notification with its text. */
export class MessageDto extends DeliveryDto {
  @Text({ nullable: true, description: 'Whose bottle it was; null if the alert is erased.' })
  user_id: string | null;

  @Text({ nullable: true })
  medication: string | null;

  @Text({ nullable: true, description: 'The e-mail address as the contact has it now.' })
  address: string | null;

  @Text({
    nullable: true,
    description: 'The subject of the e-mail; null if the alert is erased or cannot be read.',
  })
  title: string | null;

  @Text({
    nullable: true,
    description: 'The text of the e-mail, or the JSON for the webhook, without the link to acknowledge.',
  })
  text: string | null;
}

export class SentDeliveryDto {
  @Text()
  id: string;

  @Id()
  bottle_id: string;
}

export class SentPendingDto {
  @ListOf(() => SentDeliveryDto, { description: 'The notifications that are sent now.' })
  sent: SentDeliveryDto[];
}

export function deliveryView(delivery: Delivery): DeliveryDto {
  const attempts = [...(delivery.earlier_attempts ?? []), ...delivery.attempts];
  return viewOf(DeliveryDto, { ...delivery, attempts });
}
