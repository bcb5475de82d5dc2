import {
  type Adherence,
  DOSE_OUTCOMES,
  type DoseOutcome as Outcome,
  PERIOD_REASONS,
  type PeriodReason,
  REPORTED_OUTCOMES,
  UNCLEAR_REASONS,
  type WordedAdherence,
  type WordedOutcome,
} from '#domain';
import {
  CountsField,
  EnumField,
  IdField,
  InstantField,
  NumberField,
  ObjectField,
  TextField,
} from '#platform';
import {
  EarlierReports,
  Reported,
  type ReportedDto,
  type StatementDto,
} from '../attestations/attestation.dto.js';
import { HeartbeatValuesDto, MonitoredSince } from '../bottles/device.dto.js';
import { FormatQuery, PageQuery } from '../http/paging.js';
import { RatioDto, RatioOf, TaxonomyDto } from './taxonomy.dto.js';

export class HistoryQuery extends PageQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'From this time. Default: seven days before `to`.',
  })
  from?: string;

  @InstantField({
    example: '2026-03-08T00:00:00Z',
    optional: true,
    description: 'Before this time. Default: now.',
  })
  to?: string;
}

export class ActionDto {
  @IdField()
  id: string;

  @EnumField(['opened', 'closed'])
  action: string;

  @InstantField({ description: 'When it happened.' })
  time: Date;

  @InstantField({ description: 'When the report was received.' })
  received_at: Date;

  @InstantField({ nullable: true, description: "The time by the device's clock, if it was corrected." })
  device_time: Date | null;

  @NumberField({ nullable: true, description: 'Grams. Null if the bottle did not report it.' })
  mass_of_contents: number | null;

  @NumberField({ nullable: true })
  number_of_pills: number | null;

  @NumberField({ nullable: true, description: 'When closed: the number of pills removed.' })
  pills_taken: number | null;

  @TextField({ nullable: true, description: "The device's own id of the event." })
  event_id: string | null;
}

export class HeartbeatDto extends HeartbeatValuesDto {
  @IdField()
  id: string;

  @InstantField({ description: 'When the heartbeat was received.' })
  time: Date;
}

const WORDED_OUTCOMES = [...new Set<WordedOutcome>([...DOSE_OUTCOMES, ...REPORTED_OUTCOMES])];

export const isOutcome = (status: string): status is Outcome =>
  (DOSE_OUTCOMES as readonly string[]).includes(status);

/** Pills that left the bottle, by its count, without a closing that reports it. */
export class UnreportedPillsDto {
  @NumberField()
  pills: number;

  @InstantField({ description: 'The report before they left.' })
  from: Date;

  @InstantField({ description: 'The report whose count is lower.' })
  until: Date;
}

/** A closing by which a dose may have been taken, though no report shows it. */
export class UnclearClosingDto {
  @InstantField()
  at: Date;

  @EnumField(UNCLEAR_REASONS, {
    description:
      'filled: the bottle was filled while it was open. not_reported: the closing did not say what was taken out.',
  })
  why: (typeof UNCLEAR_REASONS)[number];
}

/** The period without monitoring that a dose was due in. */
export class DosePeriodDto {
  @EnumField(PERIOD_REASONS)
  reason: PeriodReason;

  @InstantField({ description: 'When it was entered or changed.' })
  at: Date;
}

/** A dose: what the bottle measured, and beside it what people say. */
export class DoseDto {
  @InstantField()
  scheduled_at: Date;

  @EnumField(DOSE_OUTCOMES)
  outcome: string;

  @InstantField({ nullable: true })
  taken_at: Date | null;

  @NumberField()
  pills_scheduled: number;

  @NumberField()
  pills_taken: number;

  @ObjectField(() => UnreportedPillsDto, {
    nullable: true,
    description: 'Why it is unknown though the bottle was connected: a closing was lost. Null if it is not.',
  })
  unreported: UnreportedPillsDto | null;

  @ObjectField(() => UnclearClosingDto, {
    nullable: true,
    description:
      'Why it is unknown though the bottle was connected: no report shows what was taken out at this closing.',
  })
  unclear_closing: UnclearClosingDto | null;

  @ObjectField(() => DosePeriodDto, {
    nullable: true,
    description:
      'Of `not_monitored`: the period without monitoring that it was due in. Of `unknown`: that of another bottle of the plan, in which it may have been taken.',
  })
  period: DosePeriodDto | null;

  @InstantField()
  judged_at: Date;

  @Reported()
  reported: ReportedDto | null;

  @EarlierReports()
  earlier_reports: StatementDto[];
}

export class AdherenceQuery extends FormatQuery {
  @InstantField({
    example: '2026-03-01T00:00:00Z',
    optional: true,
    description: 'Doses due from this time. Default: 30 days before `to`.',
  })
  from?: string;

  @InstantField({
    example: '2026-03-08T00:00:00Z',
    optional: true,
    description: 'Doses due before this time. Default: now.',
  })
  to?: string;
}

export class UnknownDto {
  @NumberField()
  doses: number;

  @NumberField()
  days: number;
}

class FiguresDto extends TaxonomyDto {
  @RatioOf('Whole doses taken, of doses prescribed.')
  taking: RatioDto;

  @RatioOf('Days with exactly the prescribed doses, of days with prescribed doses.')
  correct_dosing: RatioDto;

  @RatioOf('Doses taken on time, of doses prescribed.')
  timing: RatioDto;

  @ObjectField(() => UnknownDto, { description: 'Doses and days with unknown outcome; in no denominator.' })
  unknown: UnknownDto;

  @ObjectField(() => UnknownDto, {
    description:
      'Doses that were due in a period without monitoring, and the other days with one; in no denominator.',
  })
  not_monitored: UnknownDto;
}

/** The figures with people's word: a dose that somebody attests counts as they say. */
export class WordedAdherenceDto extends FiguresDto implements WordedAdherence {
  @CountsField(WORDED_OUTCOMES, { description: 'Doses by outcome, reported or measured.' })
  doses: Record<WordedOutcome, number>;

  @NumberField({ description: 'Doses skipped on medical advice; in no figure.' })
  excused: number;

  @RatioOf("The share that rests on people's word: doses that somebody attests, of known doses.")
  attested: RatioDto;
}

/** The figures of docs/adherence.md, with the numbers they are computed from: as measured, and with people's word. */
export class AdherenceDto extends FiguresDto implements Adherence {
  @InstantField()
  from: Date;

  @InstantField()
  to: Date;

  @MonitoredSince()
  monitored_since: Date | null;

  @TextField({ description: 'The time zone in which days are counted.' })
  time_zone: string;

  @CountsField(DOSE_OUTCOMES, { description: 'Doses by measured outcome.' })
  doses: Record<Outcome, number>;

  @NumberField({ description: 'Removals beyond the schedule.' })
  extra: number;

  @ObjectField(() => WordedAdherenceDto)
  reported: WordedAdherenceDto;

  @NumberField({ description: 'How many of the unknown doses fell in a coverage gap of this service.' })
  unknown_in_coverage_gaps: number;
}
