import {
  AGREEMENTS,
  type Agreement,
  type Attestor,
  ATTESTORS,
  PILL_SOURCES,
  type PillSource,
  REPORTED_OUTCOMES,
  type ReportedOutcome,
  SKIP_REASONS,
  type SkipReason,
  STATEMENT_KINDS,
  type StatementKind,
} from '#domain';
import {
  BooleanField,
  EnumField,
  IdField,
  InstantField,
  ListField,
  NumberField,
  ObjectField,
  OnlyWhen,
  PillsField,
  TextField,
} from '#platform';

/** Any more is a slip of the finger. */
const MOST_PILLS = 1_000;

export class WithdrawDto {
  @TextField({ optional: true, max: 1_000 })
  note?: string;

  @EnumField(ATTESTORS, { optional: true, description: 'Whose word it is. Default: staff.' })
  attested_by?: Attestor;
}

export class AttestDto extends WithdrawDto {
  @InstantField({ description: 'The dose: the instant at which it was scheduled.' })
  scheduled_at: string;

  @EnumField(STATEMENT_KINDS, { description: 'not_taken: the pills were removed for later.' })
  kind: StatementKind;

  @InstantField({ optional: true, description: 'Of `taken`: when. Leave it out if it is not known.' })
  @OnlyWhen('kind', 'taken')
  taken_at?: string;

  @PillsField({
    optional: true,
    min: 0.25,
    max: MOST_PILLS,
    description: 'Of `taken`; at most the dose, the default.',
  })
  @OnlyWhen('kind', 'taken')
  pills?: number;

  @EnumField(PILL_SOURCES, { optional: true, description: 'Of `taken`.' })
  @OnlyWhen('kind', 'taken')
  source?: PillSource;

  @EnumField(SKIP_REASONS, { optional: true, description: 'Of `skipped`, which requires it.' })
  @OnlyWhen('kind', 'skipped')
  reason?: SkipReason;
}

export class AttestNoDoseDto extends WithdrawDto {
  @InstantField({ description: 'When the pills were removed.' })
  removed_at: string;

  @PillsField({
    optional: true,
    min: 0.25,
    max: MOST_PILLS,
    description: 'How many were no dose. Default: 1.',
  })
  pills?: number;
}

/** What statements, and the entries of which they are made, have in common. */
class RecordedDto {
  @IdField()
  id: string;

  @InstantField({ description: 'When it was recorded.' })
  at: Date;

  @InstantField({ nullable: true })
  taken_at: Date | null;

  @NumberField({ nullable: true })
  pills: number | null;

  @EnumField(PILL_SOURCES, { nullable: true })
  source: string | null;

  @EnumField(SKIP_REASONS, { nullable: true, description: 'Why it was skipped.' })
  reason: string | null;

  @TextField({ nullable: true })
  note: string | null;

  @EnumField(ATTESTORS, { description: 'Whose word it is.' })
  attested_by: Attestor;

  @TextField({
    description:
      'Who recorded it: a name of the staff or of an API key, or by the link of a message its recipient (`user:USERID`).',
  })
  recorded_by: string;
}

const OUTCOME =
  'By the windows of the dose. taken: without a time. partial: fewer pills than the dose has. ' +
  'not_taken: removed for later.';

/** What a person says about a dose. It stands beside what the bottle measured. */
export class StatementDto extends RecordedDto {
  @EnumField(REPORTED_OUTCOMES, { description: OUTCOME })
  outcome: ReportedOutcome;
}

/** The statement that counts for a dose. */
export class ReportedDto extends StatementDto {
  @EnumField(AGREEMENTS, {
    description: 'Whether what the bottle measured fits it. unproven: the bottle cannot tell, or not yet.',
  })
  agreement: Agreement;
}

/** Of a dose: what people say of it. */
export const Reported = (): PropertyDecorator =>
  ObjectField(() => ReportedDto, {
    nullable: true,
    description: 'What people say: the latest statement that stands.',
  });
export const EarlierReports = (): PropertyDecorator =>
  ListField(() => StatementDto, { description: 'Other statements that stand, latest first.' });

/** An entry of the list, which is only ever added to. */
export class AttestationDto extends RecordedDto {
  @EnumField(REPORTED_OUTCOMES, {
    nullable: true,
    description: `${OUTCOME} null: it withdraws another entry, or is about no dose.`,
  })
  outcome: ReportedOutcome | null;

  @InstantField({ description: 'The dose. Of `no_dose`: when the pills were removed.' })
  scheduled_at: Date;

  @EnumField([...STATEMENT_KINDS, 'no_dose', 'withdrawn'])
  kind: string;

  @IdField({ nullable: true, description: 'Of `withdrawn`: the entry that it withdraws.' })
  withdraws: string | null;

  @BooleanField({ description: 'A later entry withdraws it.' })
  is_withdrawn: boolean;
}
