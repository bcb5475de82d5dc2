import type { Adherence, DoseOutcome, DrugHolidays, Ratio } from '#domain';
import { InstantField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { Count, Json, Text, Time } from '../http/shown.js';

export class AdherenceQuery {
  @InstantField({ optional: true, description: 'Slots from here on; 30 days before the end unless given.' })
  from?: string;

  @InstantField({ optional: true, description: 'Slots before this; up to now unless given.' })
  to?: string;
}

export class RatioDto implements Ratio {
  @Count()
  numerator: number;

  @Count()
  denominator: number;

  @Count({ nullable: true, description: '0 to 1; null when the denominator is 0.' })
  ratio: number | null;
}

const ratio = (description: string): PropertyDecorator => ApiProperty({ type: RatioDto, description });

/** The figures of docs/adherence.md, with what they were made of. */
export class AdherenceDto implements Adherence {
  @Time()
  from: Date;

  @Time()
  to: Date;

  @Text({ description: 'The zone in which days are counted.' })
  time_zone: string;

  @ratio('Whole doses taken of doses prescribed.')
  taking: RatioDto;

  @ratio('Days with exactly the prescribed doses of days with prescribed doses.')
  correct_dosing: RatioDto;

  @ratio('Doses taken on time of doses prescribed.')
  timing: RatioDto;

  @ratio('Days on which every prescribed dose was taken.')
  days_covered: RatioDto;

  @Json({ description: 'Times of 72 hours and more without a dose though doses were prescribed.' })
  drug_holidays: DrugHolidays;

  @Json({ description: 'Doses by outcome.' })
  doses: Record<DoseOutcome, number>;

  @Count({ description: 'Removals beyond the schedule.' })
  extra: number;

  @Json({ description: 'Doses and days that nobody can know of; in no denominator.' })
  unknown: { doses: number; days: number };
}
