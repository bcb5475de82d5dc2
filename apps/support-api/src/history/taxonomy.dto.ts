import {
  type DayFigure,
  type DosingDay,
  type DrugHolidays,
  type Implementation,
  type Initiation,
  LEFT_OUT,
  type LeftOut,
  type Persistence,
  type Ratio,
} from '#domain';
import {
  BooleanField,
  EnumField,
  InstantField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
} from '#platform';

export class RatioDto implements Ratio {
  @NumberField()
  numerator: number;

  @NumberField()
  denominator: number;

  @NumberField({ nullable: true, description: '0 to 1; null if the denominator is 0.' })
  ratio: number | null;
}

export const RatioOf = (description: string): PropertyDecorator =>
  ObjectField(() => RatioDto, { description });

export class DrugHolidayDto {
  @InstantField({ description: 'The last dose before it, or the beginning of the range.' })
  from: Date;

  @InstantField({ description: 'The next dose, or the end of the range.' })
  to: Date;

  @NumberField()
  hours: number;

  @NumberField({ description: 'Doses prescribed in it.' })
  missed_doses: number;
}

export class DrugHolidaysDto implements DrugHolidays {
  @NumberField()
  count: number;

  @NumberField({ description: 'Of all of them together.' })
  hours: number;

  @ListField(() => DrugHolidayDto)
  periods: DrugHolidayDto[];

  @NumberField({ description: 'Periods that would count, but contain a dose of which nobody knows.' })
  possible: number;
}

export class InitiationDto implements Initiation {
  @InstantField({ nullable: true, description: 'Null if there is none yet.' })
  first_dose_at: Date | null;
}

export class ImplementationDto implements Implementation {
  @NumberField({ description: 'Days on which at least the prescribed amount was removed.' })
  numerator: number;

  @NumberField({ description: 'Days of the plan, monitored and known.' })
  denominator: number;

  @NumberField({ nullable: true, description: '0 to 1; null if the denominator is 0.' })
  ratio: number | null;

  @NumberField({ description: 'Of both numbers: days within the plan on which no dose is due.' })
  break_days: number;

  @NumberField({ description: 'In neither number: days of which the bottle says nothing.' })
  not_monitored_days: number;

  @NumberField({
    description:
      'In neither number: days with a dose whose outcome is unknown, and days without one that began before the first report.',
  })
  unknown_days: number;
}

export class PersistenceDto implements Persistence {
  @TextField({ nullable: true, description: 'The last day of the range with a dose: `YYYY-MM-DD`.' })
  last_dose_on: string | null;

  @BooleanField({
    nullable: true,
    description: 'No dose on 30 days since, all prescribed and monitored. Null if that cannot be known.',
  })
  discontinued: boolean | null;
}

/** The figures of the taxonomy of adherence (docs/adherence.md). */
export class TaxonomyDto {
  @ObjectField(() => InitiationDto, { description: 'When the treatment began, also before the range.' })
  initiation: InitiationDto;

  @ObjectField(() => ImplementationDto, { description: 'The share of days with the prescribed amount.' })
  implementation: ImplementationDto;

  @ObjectField(() => PersistenceDto, { description: 'Until when the treatment lasted.' })
  persistence: PersistenceDto;

  @RatioOf('Days on which every prescribed dose was taken, of days with prescribed doses.')
  days_covered: RatioDto;

  @ObjectField(() => DrugHolidaysDto, {
    description: 'Periods of 72 hours or more without a dose although doses were prescribed.',
  })
  drug_holidays: DrugHolidaysDto;
}

/** What is null in an answer may be absent in the domain. */
type Nullable<T> = { [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K] };

export class DayFigureDto implements Nullable<DayFigure> {
  @NumberField({ description: 'Pills.' })
  removed: number;

  @NumberField({ description: 'Pills of the doses that are due.' })
  expected: number;

  @NumberField({
    nullable: true,
    description: '1: removed is at least expected. Null if the day is left out.',
  })
  implemented: 1 | 0 | null;

  @EnumField(LEFT_OUT, {
    nullable: true,
    description:
      'Why it is in no figure. not_judged: a dose has no outcome yet. excused: every dose was skipped on medical advice.',
  })
  left_out: LeftOut | null;
}

/** A day of the plan, from 03:00 to 03:00 of the next. */
export class DosingDayDto implements Record<keyof DosingDay, unknown> {
  @TextField({ description: '`YYYY-MM-DD`.' })
  local_date: string;

  @ObjectField(() => DayFigureDto)
  measured: DayFigureDto;

  @ObjectField(() => DayFigureDto, { description: "With people's word." })
  reported: DayFigureDto;
}
