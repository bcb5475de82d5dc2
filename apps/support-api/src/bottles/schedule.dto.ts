import { DAYS_OF_WEEK, SCHEDULE_LIMITS } from '#domain';
import {
  EnumField,
  InstantField,
  IntegerField,
  oneOf,
  PillsField,
  TextField,
  TimeZoneField,
} from '#platform';
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Allow } from 'class-validator';

/** The schedules of the OpenAPI document. The domain's `parseSchedule` checks what is sent. */
const DURATION = { max: 14, lengths: [2, 14], pattern: /^\d{1,12}(ms|s|m|h|d)$/ } as const;

const TIME = String.raw`^([01]\d|2[0-3]):[0-5]\d$`;

const Duration = (example: string, description: string): PropertyDecorator =>
  TextField({ ...DURATION, optional: true, example, description });

class ScheduleFieldsDto {
  @PillsField({
    optional: true,
    min: 0.25,
    max: SCHEDULE_LIMITS.pills_per_dose,
    description: 'Of a dose that does not say its own. Default: 1.',
  })
  pills_per_dose?: number;

  @Duration('2h', 'How long before its time a dose may be taken. Default: 2h; at most 24h.')
  early_window?: string;

  @Duration('1h', 'How long after its time a dose is late. Default: 1h; less than missed_after.')
  late_after?: string;

  @Duration('4h', 'How long after its time a dose is missed. Default: 4h; at most 7d.')
  missed_after?: string;

  @TimeZoneField({ optional: true, description: "Default: the bottle's." })
  time_zone?: string;

  @InstantField({
    optional: true,
    example: '2030-03-01T08:00:00Z',
    description: 'Default: now, and never before.',
  })
  effective_from?: string;

  @ApiProperty({
    type: 'string',
    format: 'date',
    required: false,
    example: '2030-03-10',
    description: 'The last day, in the time zone of the schedule. Default: none.',
  })
  until?: string;
}

class CycleDto {
  @IntegerField({ min: 1, max: SCHEDULE_LIMITS.cycle_days, example: 21 })
  days_on: number;

  @IntegerField({ min: 1, max: SCHEDULE_LIMITS.cycle_days, example: 7 })
  days_off: number;

  @ApiProperty({ type: 'string', format: 'date', example: '2026-03-01', description: 'The first day on.' })
  anchor: string;
}

/** A time of day with its own amount. */
class TimedAmountDto {
  @ApiProperty({ type: 'string', pattern: TIME, example: '20:00' })
  at: string;

  @PillsField({ min: 0.25, max: SCHEDULE_LIMITS.pills_per_dose, example: 1.5 })
  pills: number;
}

const Doses = (): PropertyDecorator =>
  IntegerField({
    optional: true,
    min: 1,
    max: SCHEDULE_LIMITS.doses,
    example: 14,
    description:
      'How many doses there are, counted from when it takes effect. Default: no end. Not with `until`.',
  });

class TimesOfDayDto extends ScheduleFieldsDto {
  @EnumField(['times_of_day'])
  kind: string;

  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ type: 'string', pattern: TIME }, { $ref: getSchemaPath(TimedAmountDto) }] },
    minItems: 1,
    maxItems: SCHEDULE_LIMITS.times,
    example: ['08:00', { at: '20:00', pills: 1.5 }],
    description: 'A time alone has `pills_per_dose`. The same time twice adds up.',
  })
  times: (string | TimedAmountDto)[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...DAYS_OF_WEEK] },
    minItems: 1,
    maxItems: DAYS_OF_WEEK.length,
    uniqueItems: true,
    required: false,
    description: 'Default: all.',
  })
  days_of_week?: string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 31 },
    minItems: 1,
    maxItems: SCHEDULE_LIMITS.days_of_month,
    uniqueItems: true,
    required: false,
    example: [1, 15],
    description: 'In a month without the day, its last day. Default: all.',
  })
  days_of_month?: number[];

  @ApiProperty({ type: CycleDto, required: false, description: 'Days on and off in turn.' })
  cycle?: CycleDto;

  @Doses()
  doses?: number;
}

class IntervalDto extends ScheduleFieldsDto {
  @EnumField(['interval'])
  kind: string;

  @TextField({ ...DURATION, example: '8h', description: 'From 1h to 366d.' })
  every: string;

  @InstantField({ example: '2026-03-01T06:00:00Z', description: 'The time of one dose.' })
  anchor: string;

  @Doses()
  doses?: number;
}

class AsNeededDto extends ScheduleFieldsDto {
  @EnumField(['as_needed'])
  kind: string;

  @IntegerField({ min: 1, max: SCHEDULE_LIMITS.max_per_day, description: 'Doses in any 24 hours.' })
  max_per_day: number;

  @TextField({
    ...DURATION,
    optional: true,
    example: '4h',
    description: 'The shortest time between two doses: from 1m to 24h.',
  })
  min_interval?: string;
}

const SCHEDULES = [TimesOfDayDto, IntervalDto, AsNeededDto];

/** The OpenAPI schema of a schedule, which the document names `Schedule`. */
export const SCHEDULE = oneOf(SCHEDULES);
/** For each class with a schedule. */
export const ScheduleModels = (): ClassDecorator => ApiExtraModels(...SCHEDULES, TimedAmountDto);

/** A list of schedules, the steps of a taper, instead of one. */
export function StepsField(max: number): PropertyDecorator {
  const description =
    'Instead of `schedule`: several steps in one request, in order. One without `effective_from` begins when the one ' +
    'before it has ended, by its `until` or `doses`.';
  const schema = { type: 'array', items: SCHEDULE, minItems: 1, maxItems: max } as const;
  return applyDecorators(ApiProperty({ required: false, description, ...schema }), Allow());
}

/** A schedule as JSON. The domain validates its fields. */
export function ScheduleField(required: boolean): PropertyDecorator {
  return applyDecorators(ApiProperty({ required, ...SCHEDULE }), Allow());
}
