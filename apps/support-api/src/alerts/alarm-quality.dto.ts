import { ALARM_GROUPS, ALERT_KINDS, type AlarmGroup, type AlarmQuality } from '#domain';
import { EnumField, InstantField, ListField, NumberField, ObjectField, TextField } from '#platform';
import { RatioDto } from '../history/taxonomy.dto.js';
import { FormatQuery } from '../http/paging.js';

export class AlarmQualityQuery extends FormatQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'Alerts raised from this time. Default: 30 days before `to`; at most 90 days ago.',
  })
  from?: string;

  @InstantField({
    example: '2026-03-08T00:00:00Z',
    optional: true,
    description: 'Alerts raised before this time. Default: now.',
  })
  to?: string;

  @EnumField(ALARM_GROUPS, { optional: true, description: 'Default: fleet.' })
  by?: AlarmGroup;
}

const Share = (description: string): PropertyDecorator => ObjectField(() => RatioDto, { description });

/** What the alerts of a kind were worth of which a message was sent. */
export class AlarmQualityRowDto implements AlarmQuality {
  @TextField({ nullable: true, description: 'A medication, or a month `YYYY-MM`; null for the fleet.' })
  group: string | null;

  @EnumField(ALERT_KINDS)
  kind: AlarmQuality['kind'];

  @NumberField({ description: 'Of the bottles of the group, from their registration on.' })
  bottle_days: number;

  @NumberField({ description: 'Alerts of which a message was sent.' })
  alerts: number;

  @NumberField({ description: 'Messages that were sent about them.' })
  messages: number;

  @NumberField({ nullable: true, description: 'Null without bottle-days.' })
  messages_per_1000_bottle_days: number | null;

  @Share('Alerts that later data retracted.')
  retracted: RatioDto;

  @Share('Alerts whose outcome was corrected afterwards.')
  corrected: RatioDto;

  @Share('Alerts of doses that people report taken or skipped.')
  attested_otherwise: RatioDto;

  @Share('Alerts that staff closed for a faulty device, as a duplicate, or as not relevant.')
  closed_as_false: RatioDto;

  @Share('Alerts that were acknowledged before a reminder or further step was sent.')
  acknowledged_in_time: RatioDto;
}

export class AlarmQualityDto {
  @InstantField()
  from: Date;

  @InstantField()
  to: Date;

  @ListField(() => AlarmQualityRowDto, { description: 'By group, then by kind.' })
  rows: AlarmQualityRowDto[];
}
