import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { EnumField, InstantField, IntegerField, TextField, TimeZoneField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { PageQuery } from '../http/paging.js';

const NOT_BLANK = { pattern: /\S/, hint: 'must not be blank' };

/** A schedule as JSON. The domain checks it, field by field. */
function ScheduleField(required: boolean): PropertyDecorator {
  const described = ApiProperty({
    selfRequired: required,
    type: 'object',
    additionalProperties: true,
    description:
      'kind times_of_day (times, days_of_week?, cycle?), interval (every, anchor) or as_needed (max_per_day), ' +
      'and pills_per_dose?, early_window?, late_after?, missed_after?, time_zone?, effective_from?.',
    example: { kind: 'times_of_day', times: ['08:00', '20:00'], pills_per_dose: 1 },
  });
  return (target, key) => {
    described(target, key);
    Allow()(target, key);
  };
}

export class RegisterBottleDto {
  @TextField({ ...NOT_BLANK, description: "The owner, by the operator's own id." })
  user_id: string;

  @TextField({ ...NOT_BLANK, example: 'Cordrazine' })
  medication: string;

  @TimeZoneField({ description: 'Where the bottle is at home.' })
  time_zone: string;

  @IntegerField({ optional: true, min: 0, max: 100_000, description: 'What is in it now.' })
  number_of_pills?: number;

  @ScheduleField(false)
  schedule?: unknown;
}

/** At least one of them. */
export class ChangeBottleDto {
  @TextField({ ...NOT_BLANK, optional: true })
  user_id?: string;

  @TextField({ ...NOT_BLANK, optional: true })
  medication?: string;

  @TimeZoneField({ optional: true, description: 'Doses that follow the bottle follow it from now on.' })
  time_zone?: string;
}

export class SetScheduleDto {
  @ScheduleField(true)
  schedule: unknown;
}

/** No dose is due in [from, to). */
export class PauseDto {
  @InstantField({ optional: true, description: 'Now, when left out.' })
  from?: string;

  @InstantField()
  to: string;
}

export class EndPauseQuery {
  @InstantField({ description: 'When the pause begins, or began.' })
  from: string;
}

export class ListBottlesQuery extends PageQuery {
  @TextField({
    ...NOT_BLANK,
    optional: true,
    description:
      "A part of the bottle's id, the user's id or the medication, without regard to case. With it a page may be " +
      'shorter than its limit, or empty, though more follow: a request looks at so many that fit, and few may pass ' +
      'the other filters.',
  })
  q?: string;

  @EnumField(BOTTLE_STATUSES, { optional: true })
  status?: BottleStatus;

  @TextField({ optional: true })
  user_id?: string;

  @TextField({ optional: true })
  medication?: string;
}
