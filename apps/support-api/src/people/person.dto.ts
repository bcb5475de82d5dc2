import { ApiProperty } from '@nestjs/swagger';
import { TextField } from '#platform';
import { AlertDto } from '../alerts/alert.dto.js';
import { BottleSummaryDto } from '../bottles/bottle.dto.js';
import { NextDoseDto } from '../bottles/plan.dto.js';
import { TodayDto } from '../bottles/today.dto.js';
import { ContactDto } from '../contacts/contact.dto.js';
import { AdherenceDto, DoseDto } from '../history/history.dto.js';
import { EarlierReports, Reported, ReportedDto, StatementDto } from '../attestations/attestation.dto.js';
import { Choice, Flag, Id, ListOf, Nested, Text, Time } from '../http/view.js';

/** When a bottle was somebody's. */
export class PeriodDto {
  @Time({ nullable: true, description: 'Null: since its registration.' })
  from: Date | null;

  @Time({ nullable: true, description: 'Null: it is theirs now.' })
  until: Date | null;
}

/** A bottle that is the person's now. */
export class PersonsBottleDto extends BottleSummaryDto {
  @Text()
  time_zone: string;

  @Nested(() => TodayDto)
  today: TodayDto;

  @Nested(() => NextDoseDto, { nullable: true })
  next_dose: NextDoseDto | null;

  @ListOf(() => PeriodDto, { description: 'When it was theirs; what else happened is not shown.' })
  owned: PeriodDto[];
}

/** A bottle that is somebody else's now. */
export class FormerBottleDto {
  @Id()
  bottle_id: string;

  @Text({ nullable: true, description: 'As the last action named it while it was theirs.' })
  medication: string | null;

  @ListOf(() => PeriodDto)
  owned: PeriodDto[];
}

export class NoteDto {
  @Id()
  id: string;

  @Id({ nullable: true, description: 'Null if it is about the person.' })
  bottle_id: string | null;

  @Text()
  text: string;

  @Text({ description: 'The staff member or API key.' })
  by: string;

  @Time()
  at: Date;
}

export class AddNoteDto {
  @TextField({ max: 2000, description: 'Staff read it; messages do not contain it.' })
  text: string;
}

export class PersonDto {
  @Text()
  user_id: string;

  @ApiProperty({ type: ContactDto, nullable: true })
  contact: ContactDto | null;

  @ListOf(() => PersonsBottleDto, { description: 'At most 100, in the order of their registration.' })
  bottles: PersonsBottleDto[];

  @Flag({ description: 'There are more bottles: `GET /v1/bottles?user_id=` lists them.' })
  has_more_bottles: boolean;

  @ListOf(() => FormerBottleDto)
  former_bottles: FormerBottleDto[];

  @ListOf(() => AlertDto, { description: 'Open or acknowledged, newest first.' })
  open_alerts: AlertDto[];

  @ListOf(() => NoteDto, { description: 'The last 100, newest first.' })
  notes: NoteDto[];
}

export class PersonsDoseDto extends DoseDto {
  @Id()
  bottle_id: string;

  @Text({ nullable: true })
  medication: string | null;
}

/**
 * Why we could not see: no report of the bottle, none since it was registered, or we accepted none.
 */
export const GAP_REASONS = ['silent', 'never_connected', 'coverage_gap'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** A time in which we could not see what happened. */
export class GapDto {
  @Time({ description: 'May be before the period, but not before the bottle was theirs.' })
  from: Date;

  @Time({ nullable: true, description: 'Null while it lasts.' })
  until: Date | null;

  @Choice(GAP_REASONS, {
    description:
      'silent: the bottle did not report. never_connected: it had not reported since it was registered. ' +
      'coverage_gap: the service accepted no reports.',
  })
  reason: GapReason;
}

/** A dose that has no outcome, and that somebody attests. */
export class UnjudgedDoseDto {
  @Time()
  scheduled_at: Date;

  @Reported()
  reported: ReportedDto | null;

  @EarlierReports()
  earlier_reports: StatementDto[];
}

/** A bottle of a report, in the part of its period in which it was the person's. */
export class ReportedBottleDto {
  @Id()
  bottle_id: string;

  @Text({ nullable: true })
  medication: string | null;

  @Nested(() => AdherenceDto)
  adherence: AdherenceDto;

  @ListOf(() => GapDto, { description: 'When we could not see what happened, oldest first.' })
  gaps: GapDto[];

  @ListOf(() => UnjudgedDoseDto, {
    description: 'What people say about doses that have no outcome, oldest first.',
  })
  unjudged: UnjudgedDoseDto[];
}

export class PersonsReportDto {
  @Text()
  user_id: string;

  @Text({ nullable: true })
  name: string | null;

  @Time()
  from: Date;

  @Time()
  to: Date;

  @ListOf(() => ReportedBottleDto)
  bottles: ReportedBottleDto[];
}
