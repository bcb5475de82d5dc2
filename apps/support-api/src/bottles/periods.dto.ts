import { PERIOD_REASONS, type PeriodReason } from '#domain';
import { BooleanField, EnumField, IdField, InstantField, TextField } from '#platform';

const REASON = {
  description:
    'pause: no dose is to be taken; it requires `to`. hospital, travel: of the person. pillbox, other_container: the ' +
    'doses come from there. device_fault: the device is not to be believed. not_in_use: nobody uses the bottle.',
};

/** Time of which a bottle says nothing of its doses. */
export class AddPeriodDto {
  @EnumField(PERIOD_REASONS, REASON)
  reason: PeriodReason;

  @InstantField({
    optional: true,
    example: '2026-03-01T00:00:00Z',
    description: 'Default: now. It may be past.',
  })
  from?: string;

  @InstantField({
    optional: true,
    example: '2026-03-08T00:00:00Z',
    description: 'Its end, excluded. Default: nobody knows yet.',
  })
  to?: string;

  @TextField({ optional: true, max: 1_000 })
  note?: string;
}

export class ChangePeriodDto {
  @EnumField(PERIOD_REASONS, { optional: true, ...REASON })
  reason?: PeriodReason;

  @InstantField({ optional: true })
  from?: string;

  @InstantField({ optional: true, nullable: true, description: 'Null: nobody knows yet.' })
  to?: string | null;

  @TextField({ optional: true, nullable: true, max: 1_000 })
  note?: string | null;
}

/** A period without monitoring `[from, to)`. */
export class UnmonitoredPeriodDto {
  @IdField({ description: 'The same for all bottles of a period of a person.' })
  id: string;

  @EnumField(PERIOD_REASONS, REASON)
  reason: PeriodReason;

  @InstantField()
  from: Date;

  @InstantField({ nullable: true, description: 'Null: nobody knows yet.' })
  to: Date | null;

  @TextField({ nullable: true })
  note: string | null;

  @TextField({ nullable: true, description: 'Who entered or changed it last.' })
  recorded_by: string | null;

  @InstantField({ nullable: true, description: 'When it was entered.' })
  recorded_at: Date | null;

  @BooleanField({ description: 'Whether it is of all bottles of the person.' })
  of_person: boolean;
}
