import { InstantField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { AlertDto } from '../alerts/alert-views.dto.js';
import { DeliveryDto } from '../deliveries/delivery-views.dto.js';
import { ActionDto } from '../history/history-views.dto.js';
import { PageQuery } from '../http/paging.js';
import { Count, Time, Word } from '../http/shown.js';

/** In the order in which those of one moment are listed: what followed first. */
export const TIMELINE_KINDS = [
  'message',
  'alert_ended',
  'alert_raised',
  'heartbeats_missed',
  'action',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export class TimelineQuery extends PageQuery {
  @InstantField({ optional: true, description: 'From here on; from the beginning unless given.' })
  from?: string;

  @InstantField({ optional: true, description: 'Before this; up to now unless given.' })
  to?: string;
}

/** A time without heartbeats, though one is due every 30 minutes. */
export class HeartbeatGapDto {
  @Time({ description: 'The last heartbeat before it.' })
  after: Date;

  @Time({ nullable: true, description: 'The first heartbeat behind it; null while it lasts.' })
  until: Date | null;

  @Count({ description: 'How many should have come.' })
  missed: number;

  @Count({ description: 'For how long of it we were listening. Milliseconds.' })
  listened_ms: number;
}

const shownWith = (kinds: string, type: () => object): PropertyDecorator =>
  ApiProperty({ type, required: false, description: `With ${kinds}.` });

/** One thing that happened. */
export class TimelineEntryDto {
  @Time({
    description:
      'When: the event time of an action, when the first missed heartbeat was due, when an alert was raised or ended, when a message was made.',
  })
  at: Date;

  @Word(TIMELINE_KINDS)
  kind: TimelineKind;

  @shownWith('action', () => ActionDto)
  action?: ActionDto;

  @shownWith('heartbeats_missed', () => HeartbeatGapDto)
  gap?: HeartbeatGapDto;

  @shownWith('alert_raised and alert_ended', () => AlertDto)
  alert?: AlertDto;

  @shownWith('message', () => DeliveryDto)
  message?: DeliveryDto;
}

/** {@link TimelineEntryDto} as CSV: of each kind what its line in the console says. */
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
  'alert.id',
  'alert.kind',
  'alert.state',
  'message.id',
  'message.alert_id',
  'message.event',
  'message.recipient',
  'message.channel',
  'message.status',
  'message.reason',
];
