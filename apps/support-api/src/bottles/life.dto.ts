import { LIFE_STATES, type Life, RETIRE_REASONS, type RetireReason } from '#domain';
import { EnumField, InstantField, TextField, USER_ID } from '#platform';
import { MOST_STEPS } from './plan.dto.js';
import { ScheduleField, ScheduleModels, StepsField } from './schedule.dto.js';

const NOTE = { optional: true, max: 500, description: 'Why; staff read it.' } as const;

export class StoreDto {
  @TextField(NOTE)
  note?: string;
}

export class RetireDto extends StoreDto {
  @EnumField(RETIRE_REASONS)
  reason: RetireReason;
}

@ScheduleModels()
export class AssignBottleDto extends StoreDto {
  @TextField({ ...USER_ID, description: 'Whose it is from now on; also the person whose it was.' })
  user_id: string;

  @ScheduleField(false)
  schedule?: unknown;

  @StepsField(MOST_STEPS)
  steps?: unknown;
}

/** A bottle's life since an instant. */
export class BottleLifeDto {
  @EnumField(LIFE_STATES, {
    description: 'A bottle that is stored or retired has no doses, and alarms nobody.',
  })
  state: Life;

  @InstantField({ description: 'When it was registered, if it has been in use since.' })
  since: Date;

  @EnumField(RETIRE_REASONS, { nullable: true, description: 'Of a retired bottle.' })
  reason: RetireReason | null;

  @TextField({ nullable: true })
  note: string | null;

  @TextField({ nullable: true, description: 'Who changed it.' })
  by: string | null;
}
