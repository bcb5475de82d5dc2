import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, InstantField, ListField, ObjectField, TextField } from '#platform';
import { AlertDto } from '../alerts/alert.dto.js';
import { BottleSummaryDto } from '../bottles/bottle.dto.js';
import { MonitoredSince } from '../bottles/device.dto.js';
import { UnmonitoredPeriodDto } from '../bottles/periods.dto.js';
import { NextDoseDto, ScheduleVersionDto } from '../bottles/plan.dto.js';
import { ScheduleModels } from '../bottles/schedule.dto.js';
import { TodayDto } from '../bottles/today.dto.js';
import { ContactDto } from '../contacts/contact.dto.js';
import { AdherenceDto, DoseDto } from '../history/history.dto.js';
import { EarlierReports, Reported, ReportedDto, StatementDto } from '../attestations/attestation.dto.js';

/** When a bottle was somebody's. */
export class PeriodDto {
  @InstantField({ nullable: true, description: 'Null: since its registration.' })
  from: Date | null;

  @InstantField({ nullable: true, description: 'Null: it is theirs now.' })
  until: Date | null;
}

/** A bottle that is the person's now. */
export class PersonsBottleDto extends BottleSummaryDto {
  @TextField()
  time_zone: string;

  @MonitoredSince()
  monitored_since: Date | null;

  @ObjectField(() => TodayDto)
  today: TodayDto;

  @ObjectField(() => NextDoseDto, { nullable: true })
  next_dose: NextDoseDto | null;

  @ListField(() => ScheduleVersionDto, {
    description: 'The step in effect, if there is one, and those that take effect later.',
  })
  plan: ScheduleVersionDto[];

  @ListField(() => PeriodDto, { description: 'When it was theirs; what else happened is not shown.' })
  owned: PeriodDto[];
}

/** A bottle that is somebody else's now. */
export class FormerBottleDto {
  @IdField()
  bottle_id: string;

  @TextField({ nullable: true, description: 'As the last action named it while it was theirs.' })
  medication: string | null;

  @ListField(() => PeriodDto)
  owned: PeriodDto[];
}

export class NoteDto {
  @IdField()
  id: string;

  @IdField({ nullable: true, description: 'Null if it is about the person.' })
  bottle_id: string | null;

  @TextField()
  text: string;

  @TextField({ description: 'The staff member or API key.' })
  by: string;

  @InstantField()
  at: Date;
}

export class AddNoteDto {
  @TextField({ max: 2000, description: 'Staff read it; messages do not contain it.' })
  text: string;
}

export class PersonDto {
  @TextField()
  user_id: string;

  @ApiProperty({ type: ContactDto, nullable: true })
  contact: ContactDto | null;

  @ListField(() => PersonsBottleDto, { description: 'At most 100, in the order of their registration.' })
  bottles: PersonsBottleDto[];

  @BooleanField({ description: 'There are more bottles: `GET /v1/bottles?user_id=` lists them.' })
  has_more_bottles: boolean;

  @ListField(() => FormerBottleDto)
  former_bottles: FormerBottleDto[];

  @ListField(() => AlertDto, { description: 'Open or acknowledged, newest first.' })
  open_alerts: AlertDto[];

  @ListField(() => NoteDto, { description: 'The last 100, newest first.' })
  notes: NoteDto[];
}

export class PersonsDoseDto extends DoseDto {
  @IdField()
  bottle_id: string;

  @TextField({ nullable: true })
  medication: string | null;
}

/**
 * Why we could not see: no report of the bottle, none since it was registered, or we accepted none.
 */
export const GAP_REASONS = ['silent', 'never_connected', 'coverage_gap'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** A time in which we could not see what happened. */
export class GapDto {
  @InstantField({ description: 'May be before the period, but not before the bottle was theirs.' })
  from: Date;

  @InstantField({ nullable: true, description: 'Null while it lasts.' })
  until: Date | null;

  @EnumField(GAP_REASONS, {
    description:
      'silent: the bottle did not report. never_connected: it had not reported since it was registered. ' +
      'coverage_gap: the service accepted no reports.',
  })
  reason: GapReason;
}

/** A dose that has no outcome, and that somebody attests. */
export class UnjudgedDoseDto {
  @InstantField()
  scheduled_at: Date;

  @Reported()
  reported: ReportedDto | null;

  @EarlierReports()
  earlier_reports: StatementDto[];
}

/** A bottle of a report, in the part of its period in which it was registered and the person's. */
@ScheduleModels()
export class ReportedBottleDto {
  @IdField()
  bottle_id: string;

  @TextField({ nullable: true })
  medication: string | null;

  @ObjectField(() => AdherenceDto)
  adherence: AdherenceDto;

  @ListField(() => ScheduleVersionDto, {
    description: 'The schedule and its changes: the versions that were in effect, in order.',
  })
  schedules: ScheduleVersionDto[];

  @ListField(() => UnmonitoredPeriodDto, {
    description: 'Pauses and other periods without monitoring; the one that begins last first.',
  })
  periods: UnmonitoredPeriodDto[];

  @ListField(() => GapDto, { description: 'When we could not see what happened, oldest first.' })
  gaps: GapDto[];

  @ListField(() => UnjudgedDoseDto, {
    description: 'What people say about doses that have no outcome, oldest first.',
  })
  unjudged: UnjudgedDoseDto[];
}

export class PersonsReportDto {
  @TextField()
  user_id: string;

  @TextField({ nullable: true })
  name: string | null;

  @InstantField()
  from: Date;

  @InstantField()
  to: Date;

  @ListField(() => ReportedBottleDto)
  bottles: ReportedBottleDto[];
}
