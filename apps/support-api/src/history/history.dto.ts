import type { Adherence, DoseOutcome as Outcome, DrugHolidays, Ratio } from '#domain';
import { InstantField } from '#platform';
import { PageQuery } from '../http/paging.js';
import { Count, Id, Json, Nested, Text, Time, Choice } from '../http/view.js';

export class HistoryQuery extends PageQuery {
  @InstantField({ optional: true, description: 'From this time. Default: seven days before `to`.' })
  from?: string;

  @InstantField({ optional: true, description: 'Before this time. Default: now.' })
  to?: string;
}

export class ActionDto {
  @Id()
  id: string;

  @Choice(['opened', 'closed'])
  action: string;

  @Time({ description: 'When it happened.' })
  time: Date;

  @Time({ description: 'When the report was received.' })
  received_at: Date;

  @Time({ nullable: true, description: "The time by the device's clock, if it was corrected." })
  device_time: Date | null;

  @Count({ description: 'Grams.' })
  mass_of_contents: number;

  @Count()
  number_of_pills: number;

  @Count({ nullable: true, description: 'When closed: the number of pills removed.' })
  pills_taken: number | null;

  @Text({ nullable: true, description: "The device's own id of the event." })
  event_id: string | null;
}

export class HeartbeatDto {
  @Id()
  id: string;

  @Time({ description: 'When the heartbeat was received.' })
  time: Date;

  @Count({ nullable: true })
  battery_percent: number | null;

  @Count({ nullable: true })
  rssi_dbm: number | null;

  @Count({ nullable: true, description: 'Grams.' })
  mass_of_contents: number | null;

  @Count({ nullable: true })
  number_of_pills: number | null;
}

export const OUTCOMES: readonly Outcome[] = [
  'taken_early',
  'taken_on_time',
  'taken_late',
  'partial',
  'missed',
  'unknown',
];

export class DoseDto {
  @Time()
  scheduled_at: Date;

  @Choice(OUTCOMES)
  outcome: string;

  @Time({ nullable: true })
  taken_at: Date | null;

  @Count()
  pills_scheduled: number;

  @Count()
  pills_taken: number;

  @Time()
  judged_at: Date;
}

export class AdherenceQuery {
  @InstantField({ optional: true, description: 'Doses due from this time. Default: 30 days before `to`.' })
  from?: string;

  @InstantField({ optional: true, description: 'Doses due before this time. Default: now.' })
  to?: string;
}

export class RatioDto implements Ratio {
  @Count()
  numerator: number;

  @Count()
  denominator: number;

  @Count({ nullable: true, description: '0 to 1; null if the denominator is 0.' })
  ratio: number | null;
}

const RatioOf = (description: string): PropertyDecorator => Nested(() => RatioDto, { description });

/** The figures of docs/adherence.md, with the numbers they are computed from. */
export class AdherenceDto implements Adherence {
  @Time()
  from: Date;

  @Time()
  to: Date;

  @Text({ description: 'The time zone in which days are counted.' })
  time_zone: string;

  @RatioOf('Whole doses taken, of doses prescribed.')
  taking: RatioDto;

  @RatioOf('Days with exactly the prescribed doses, of days with prescribed doses.')
  correct_dosing: RatioDto;

  @RatioOf('Doses taken on time, of doses prescribed.')
  timing: RatioDto;

  @RatioOf('Days on which every prescribed dose was taken, of days with prescribed doses.')
  days_covered: RatioDto;

  @Json({ description: 'Periods of 72 hours or more without a dose although doses were prescribed.' })
  drug_holidays: DrugHolidays;

  @Json({ description: 'Doses by outcome.' })
  doses: Record<Outcome, number>;

  @Count({ description: 'Removals beyond the schedule.' })
  extra: number;

  @Json({ description: 'Doses and days with unknown outcome; in no denominator.' })
  unknown: { doses: number; days: number };
}
