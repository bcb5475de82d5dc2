import { DOSE_TIMES, type DoseTimes, type ScheduleWarning, SCHEDULE_WARNINGS } from '#domain';
import {
  BooleanField,
  EnumField,
  InstantField,
  ListField,
  NumberField,
  OneOfField,
  TextField,
  TimeZoneField,
} from '#platform';
import { SCHEDULE, ScheduleField, ScheduleModels, StepsField } from './schedule.dto.js';

/** Steps of one request. */
export const MOST_STEPS = 50;

/** The requests and responses about a bottle's plan: its steps, which are schedule versions, and its pauses. */
@ScheduleModels()
export class SetScheduleDto {
  @ScheduleField(false)
  schedule?: unknown;

  @StepsField(MOST_STEPS)
  steps?: unknown;

  @BooleanField({
    optional: true,
    description: 'Whether it replaces the steps that begin after it. Default: false, they stay.',
  })
  replaces_later?: boolean;

  @InstantField({
    optional: true,
    description:
      'The `effective_from` of a planned step whose place it takes, to move that step. Default: that of the schedule.',
  })
  replaces?: string;
}

/** A schedule of a bottle that is not registered yet. */
@ScheduleModels()
export class PreviewScheduleDto {
  @ScheduleField(false)
  schedule?: unknown;

  @StepsField(MOST_STEPS)
  steps?: unknown;

  @TimeZoneField({ description: "The patient's time zone." })
  time_zone: string;
}

export class RemoveStepQuery {
  @InstantField({ description: 'The beginning of the step.' })
  effective_from: string;
}

/** No dose is due in [from, to). */
export class PauseDto {
  @InstantField({
    optional: true,
    example: '2030-03-01T00:00:00Z',
    description: 'Default: now. It may be past.',
  })
  from?: string;

  @InstantField({ example: '2030-03-08T00:00:00Z' })
  to: string;
}

export class EndPauseQuery {
  @InstantField({ description: 'The start of the pause.' })
  from: string;
}

@ScheduleModels()
export class ScheduleVersionDto {
  @InstantField()
  effective_from: Date;

  @TextField({ description: 'The time zone of its times.' })
  time_zone: string;

  @OneOfField(SCHEDULE.oneOf)
  schedule: object;
}

const PLAN = { description: 'The step in effect, if there is one, and those that take effect later.' };

export class PlanDto {
  @ListField(() => ScheduleVersionDto, PLAN)
  plan: ScheduleVersionDto[];
}

/** Why doses of a schedule cannot be judged well. It is stored nevertheless. */
export class ScheduleWarningDto implements ScheduleWarning {
  @EnumField(SCHEDULE_WARNINGS)
  code: ScheduleWarning['code'];

  @TextField({ description: 'The field to change, such as `schedule.missed_after`.' })
  field: string;

  @TextField({ description: 'A sentence for people.' })
  text: string;

  @TextField({
    optional: true,
    description: 'The shortest time between two doses, such as `2h`; not of `ends_before_next_step`.',
  })
  doses_apart?: string;

  @InstantField({ optional: true, description: 'No dose is due from then on; of `ends_before_next_step`.' })
  no_dose_from?: Date;

  @InstantField({ optional: true, description: 'When the next step begins; of `ends_before_next_step`.' })
  no_dose_until?: Date;
}

const WARNINGS = { description: 'Why doses of this schedule cannot be judged well.' };

/** The step that was stored, and the plan with it. */
export class SavedScheduleDto extends ScheduleVersionDto {
  @ListField(() => ScheduleVersionDto, PLAN)
  plan: ScheduleVersionDto[];

  @ListField(() => ScheduleWarningDto, WARNINGS)
  warnings: ScheduleWarningDto[];
}

export class NextDoseDto {
  @InstantField()
  scheduled_at: Date;

  @InstantField({ description: 'On time up to here, inclusive.' })
  late_at: Date;

  @NumberField()
  pills: number;
}

export class SchedulePreviewDto {
  @ListField(() => NextDoseDto, { description: 'In order; at most 20, within a year.' })
  doses: NextDoseDto[];

  @ListField(() => ScheduleVersionDto, { description: 'The plan as it would be.' })
  plan: ScheduleVersionDto[];

  @ListField(() => ScheduleWarningDto, WARNINGS)
  warnings: ScheduleWarningDto[];
}

export const DoseTimesField = (): PropertyDecorator =>
  EnumField(DOSE_TIMES, {
    optional: true,
    description:
      'With `time_zone`: whether its schedules change to the new zone as soon as no dose falls due within half its gap ' +
      'of the one before and none is skipped, or keep the old zone. Default: `from_next_dose`.',
  });

/** A move to another time zone. */
export class MoveDto {
  @TimeZoneField({ description: 'The new time zone.' })
  time_zone: string;

  @DoseTimesField()
  dose_times?: DoseTimes;
}

/** A dose before and after a move, by its local date and time. */
export class MovedDoseDto {
  @InstantField({ nullable: true, description: 'When it was due. Null: it was not.' })
  was: Date | null;

  @InstantField({ nullable: true, description: 'When it is due. Null: it is left out.' })
  is: Date | null;

  @NumberField()
  pills: number;
}

export class MovePreviewDto {
  @ListField(() => MovedDoseDto, { description: 'Of the next 7 days, in order; at most 10.' })
  doses: MovedDoseDto[];
}

export class PauseViewDto {
  @InstantField()
  from: Date;

  @InstantField()
  to: Date;
}
