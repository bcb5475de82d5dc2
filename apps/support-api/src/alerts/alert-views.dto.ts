import { ALERT_KINDS } from '#domain';
import { type Alert, ALERT_EVENTS, ALERT_STATES, type AlertEvent } from '#persistence';
import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../deliveries/delivery-views.dto.js';
import { Count, Id, Json, Text, Time, Word } from '../http/shown.js';

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

  @Time({ nullable: true, description: 'Nobody is told before this.' })
  snoozed_until: Date | null;

  @Text({ nullable: true, description: 'Who takes care of it.' })
  acknowledged_by: string | null;

  @Time({ nullable: true })
  acknowledged_at: Date | null;

  @Count({ description: 'Messages about it that could not be delivered.' })
  dead_deliveries: number;
}

/** {@link AlertDto} as CSV. */
export const ALERT_COLUMNS = [
  'id',
  'bottle_id',
  'user_id',
  'medication',
  'kind',
  'subject',
  'state',
  'deadline',
  'raised_at',
  'ended_at',
  'snoozed_until',
  'acknowledged_by',
  'acknowledged_at',
  'dead_deliveries',
];

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

  @ApiProperty({
    description: 'Staff found this fleet incident to be our fault: no user is told of its silences.',
  })
  dismissed: boolean;

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

/** What became of one of several alerts. */
export class AlertResultDto {
  @Id()
  id: string;

  @Id({ nullable: true })
  bottle_id: string | null;

  @Count({ description: 'As it would be for this alert alone: 200, 404 or 409.' })
  status: number;

  @Text({ nullable: true, description: 'Why it was refused; null when it was done.' })
  code: string | null;

  @Text({ nullable: true, description: 'How the alert stands now; null when there is none.' })
  state: string | null;

  @Text({ nullable: true, description: 'Who brought it there.' })
  by: string | null;

  @Time({ nullable: true, description: 'When they did.' })
  at: Date | null;
}

export class AlertResultsDto {
  @ApiProperty({ type: [AlertResultDto], description: 'In the order of the request, each alert once.' })
  results: AlertResultDto[];
}

/** What brings an alert into a state. */
const LEADS_TO: Record<Alert['state'], readonly AlertEvent['event'][]> = {
  open: ['raised', 'snoozed'],
  acknowledged: ['acknowledged', 'confirmed', 'dismissed'],
  resolved: ['resolved', 'missed'],
  retracted: ['retracted'],
};

/** Who brought the alert into the state in which it is, and when. */
export function lastStep({ state, history }: Pick<Alert, 'state' | 'history'>): AlertEvent | undefined {
  return history.findLast(({ event }) => LEADS_TO[state].includes(event));
}

/** @param dead how many messages about it could not be delivered */
export function alertView(alert: Alert, dead: number): AlertDto {
  const taken = alert.state === 'acknowledged' ? lastStep(alert) : undefined;
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
    snoozed_until: alert.snoozed_until ?? null,
    acknowledged_by: taken?.by ?? null,
    acknowledged_at: taken?.at ?? null,
    dead_deliveries: dead,
  };
}

/** Alerts with how many of each one's messages could not be delivered, by the alerts' ids. */
export function alertViews(alerts: readonly Alert[], dead: ReadonlyMap<string, number>): AlertDto[] {
  return alerts.map((alert) => alertView(alert, dead.get(alert._id.toHexString()) ?? 0));
}

export function alertDetailView(alert: Alert, deliveries: DeliveryDto[]): AlertDetailDto {
  return {
    ...alertView(alert, deliveries.filter(({ status }) => status === 'dead').length),
    evidence: alert.evidence,
    suppressed: alert.suppressed ?? [],
    dismissed: alert.dismissed ?? false,
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
