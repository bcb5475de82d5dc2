import { type Alert, ALERT_EVENTS, ALERT_KINDS, ALERT_STATES, type AlertEvent } from '#persistence';
import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../deliveries/delivery-views.dto.js';
import { Id, Json, Text, Time, Word } from '../http/shown.js';

export class AlertDto {
  @Id()
  id: string;

  @Id()
  bottle_id: string;

  @Text()
  user_id: string;

  @Text()
  medication: string;

  @Word(ALERT_KINDS)
  kind: string;

  @Text({ description: 'Which dose, for missed_dose.' })
  subject: string;

  @Word(ALERT_STATES)
  state: string;

  @Time({ description: 'The deadline that passed.' })
  deadline: Date;

  @Time()
  raised_at: Date;

  @Time({ nullable: true })
  ended_at: Date | null;
}

export class AlertEventDto {
  @Word(ALERT_EVENTS)
  event: string;

  @Time()
  at: Date;

  @Text()
  by: string;

  @Text({ nullable: true })
  note: string | null;
}

export class AlertDetailDto extends AlertDto {
  @Json({ description: 'What the rule saw, and the numbers by which it decided.' })
  evidence: object;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'What was not raised because of this alert, and why.',
  })
  suppressed: NonNullable<Alert['suppressed']>;

  @Time({ nullable: true, description: 'Nobody is told before this.' })
  snoozed_until: Date | null;

  @ApiProperty({ description: 'The trouble comes and goes: its end is told when it has stayed away.' })
  flapping: boolean;

  @Time({ nullable: true, description: 'When such a trouble went; null while it is there.' })
  cleared_at: Date | null;

  @Time({ nullable: true, description: 'When the alert ends, if the trouble stays away.' })
  clears_at: Date | null;

  @Time({ nullable: true, description: 'When the next step of the escalation is owed.' })
  next_step_at: Date | null;

  @ApiProperty({ type: [AlertEventDto], description: 'Oldest first.' })
  history: AlertEventDto[];

  @ApiProperty({ type: [DeliveryDto], description: 'Who was told, and every attempt.' })
  deliveries: DeliveryDto[];
}

export function alertView(alert: Alert): AlertDto {
  return {
    id: alert._id.toHexString(),
    bottle_id: alert.bottle_id.toHexString(),
    user_id: alert.user_id,
    medication: alert.medication,
    kind: alert.kind,
    subject: alert.subject,
    state: alert.state,
    deadline: alert.deadline,
    raised_at: alert.raised_at,
    ended_at: alert.ended_at ?? null,
  };
}

export function alertDetailView(alert: Alert, deliveries: DeliveryDto[]): AlertDetailDto {
  return {
    ...alertView(alert),
    evidence: alert.evidence,
    suppressed: alert.suppressed ?? [],
    snoozed_until: alert.snoozed_until ?? null,
    flapping: alert.flapping ?? false,
    cleared_at: alert.cleared_at ?? null,
    clears_at: alert.clears_at ?? null,
    next_step_at: alert.next_step_at ?? null,
    history: alert.history.map(eventView),
    deliveries,
  };
}

function eventView({ event, at, by, note }: AlertEvent): AlertEventDto {
  return { event, at, by, note: note ?? null };
}
