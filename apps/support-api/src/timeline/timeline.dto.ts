import { EnumField, InstantField, NumberField, ObjectField } from '#platform';
import type { Type } from '@nestjs/common';
import { AlertDto } from '../alerts/alert.dto.js';
import { ReportProblemDto } from '../bottles/device.dto.js';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { ActionDto } from '../history/history.dto.js';
import { PageQuery } from '../http/paging.js';

/** The order of entries with the same time: effects before their causes, as the list is newest first. */
export const TIMELINE_KINDS = [
  'message',
  'alert_ended',
  'alert_closed',
  'alert_raised',
  'heartbeats_missed',
  'action',
  'reports_refused',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export class TimelineQuery extends PageQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'From this time. Default: the beginning.',
  })
  from?: string;

  @InstantField({
    example: '2026-03-08T00:00:00Z',
    optional: true,
    description: 'Before this time. Default: now.',
  })
  to?: string;
}

/** A period without heartbeats, although one is due every 30 minutes. */
export class HeartbeatGapDto {
  @InstantField({ description: 'The last heartbeat before the gap.' })
  after: Date;

  @InstantField({ nullable: true, description: 'The first heartbeat after the gap; null while it lasts.' })
  until: Date | null;

  @NumberField({ description: 'The number of missing heartbeats.' })
  missed: number;

  @NumberField({ description: 'How much of the gap the service was accepting reports. Milliseconds.' })
  listened_ms: number;
}

const OnlyWith = (kinds: string, type: () => Type): PropertyDecorator =>
  ObjectField(type, { optional: true, description: `With ${kinds}.` });

/** One event. */
export class TimelineEntryDto {
  @InstantField({
    description:
      'The event time of an action; when the first missing heartbeat was due; when an alert was raised, closed by staff or ended; ' +
      'when a notification was created; when the first report was refused for a reason.',
  })
  at: Date;

  @EnumField(TIMELINE_KINDS)
  kind: TimelineKind;

  @OnlyWith('action', () => ActionDto)
  action?: ActionDto;

  @OnlyWith('heartbeats_missed', () => HeartbeatGapDto)
  gap?: HeartbeatGapDto;

  @OnlyWith('reports_refused', () => ReportProblemDto)
  refusal?: ReportProblemDto;

  @OnlyWith('alert_raised, alert_closed and alert_ended', () => AlertDto)
  alert?: AlertDto;

  @OnlyWith('message', () => DeliveryDto)
  message?: DeliveryDto;
}

/** {@link TimelineEntryDto} as CSV: of each kind, the fields that the console shows. */
export const TIMELINE_COLUMNS = [
  'at',
  'kind',
  'action.action',
  'action.pills_taken',
  'action.number_of_pills',
  'action.received_at',
  'action.device_time',
  'gap.after',
  'gap.until',
  'gap.missed',
  'gap.listened_ms',
  'refusal.field',
  'refusal.reason',
  'refusal.last_at',
  'refusal.count',
  'alert.id',
  'alert.kind',
  'alert.state',
  'alert.ended_as',
  'alert.closing.by',
  'alert.closing.reason',
  'alert.closing.note',
  'message.id',
  'message.alert_id',
  'message.event',
  'message.recipient',
  'message.channel',
  'message.status',
  'message.reason',
];
