import { type Attempt, type Delivery, DELIVERY_STATUSES, MESSAGE_EVENTS } from '#persistence';
import { ApiProperty } from '@nestjs/swagger';
import { Count, Id, Text, Time, Word } from '../http/shown.js';

export class AttemptDto {
  @Time()
  at: Date;

  @ApiProperty()
  ok: boolean;

  @Count({ nullable: true, description: 'HTTP status, when there was an answer.' })
  status: number | null;

  @Text({ nullable: true })
  error: string | null;
}

export class DeliveryDto {
  @Text({ description: 'The id that travels with the message: a receiver drops a repeat by it.' })
  id: string;

  @Id()
  alert_id: string;

  @Id()
  bottle_id: string;

  @Text()
  kind: string;

  @Word(MESSAGE_EVENTS, { description: 'What it says of the alert.' })
  event: string;

  @Text()
  step: string;

  @Text()
  recipient: string;

  @Text()
  channel: string;

  @Word(DELIVERY_STATUSES)
  status: string;

  @Text({ nullable: true, description: 'Why it was cancelled, is dead, or was put off last.' })
  reason: string | null;

  @Time()
  created_at: Date;

  @Time({ nullable: true })
  next_attempt_at: Date | null;

  @ApiProperty({ type: [AttemptDto], description: 'All of them, oldest first, those before a replay too.' })
  attempts: AttemptDto[];
}

/** {@link DeliveryDto} as CSV. */
export const DELIVERY_COLUMNS = [
  'id',
  'alert_id',
  'bottle_id',
  'kind',
  'event',
  'step',
  'recipient',
  'channel',
  'status',
  'reason',
  'created_at',
  'next_attempt_at',
  'attempts.length',
];

export function deliveryView(delivery: Delivery): DeliveryDto {
  return {
    id: delivery._id,
    alert_id: delivery.alert_id.toHexString(),
    bottle_id: delivery.bottle_id.toHexString(),
    kind: delivery.kind,
    event: delivery.event,
    step: delivery.step,
    recipient: delivery.recipient,
    channel: delivery.channel,
    status: delivery.status,
    reason: delivery.reason ?? null,
    created_at: delivery.created_at,
    next_attempt_at: delivery.next_attempt_at ?? null,
    attempts: [...(delivery.earlier_attempts ?? []), ...delivery.attempts].map(attemptView),
  };
}

function attemptView({ at, ok, status, error }: Attempt): AttemptDto {
  return { at, ok, status: status ?? null, error: error ?? null };
}
