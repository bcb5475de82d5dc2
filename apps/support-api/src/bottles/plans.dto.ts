import type { Schedule } from '#domain';
import { IdField, NumberField, TextField } from '#platform';
import { ApiProperty } from '@nestjs/swagger';
import { PageQuery } from '../http/paging.js';
import { SCHEDULE, ScheduleModels } from './schedule.dto.js';

export class ListPlansQuery extends PageQuery {
  @TextField({ max: 200, optional: true })
  user_id?: string;

  @TextField({ max: 200, optional: true })
  medication?: string;
}

/** A bottle with its plan, as registration takes it. */
@ScheduleModels()
export class BottlePlanDto {
  @IdField()
  bottle_id: string;

  @TextField()
  user_id: string;

  @TextField()
  medication: string;

  @TextField({ nullable: true, description: 'By which people tell it from their other bottles.' })
  label: string | null;

  @TextField({ description: "The patient's time zone." })
  time_zone: string;

  @NumberField({ nullable: true, description: 'The pills that are left.' })
  number_of_pills: number | null;

  @IdField({ nullable: true, description: 'The bottle whose plan it is for; it then has no steps.' })
  plan_of: string | null;

  @ApiProperty({
    type: 'array',
    items: SCHEDULE,
    description:
      'The step in effect, unless its course is over, with the doses that are left of it, and those that take effect later.',
  })
  steps: Schedule[];
}
