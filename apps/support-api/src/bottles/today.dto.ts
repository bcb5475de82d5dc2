import { DOSE_OUTCOMES, type DoseStatus, type ScheduleState } from '#domain';
import { EnumField, InstantField, ListField, NumberField, ObjectField, TextField } from '#platform';
import {
  EarlierReports,
  Reported,
  type ReportedDto,
  type StatementDto,
} from '../attestations/attestation.dto.js';
import { DosePeriodDto, UnclearClosingDto, UnreportedPillsDto } from '../history/history.dto.js';

const DOSE_STATUSES: readonly DoseStatus[] = ['upcoming', 'due', 'late', ...DOSE_OUTCOMES];
const SCHEDULE_STATES: readonly ScheduleState['state'][] = [
  'none',
  'not_started',
  'paused',
  'not_monitored',
  'as_needed',
  'ended',
  'active',
  'shared',
];

/** A time without reports. */
export class OfflineDto {
  @InstantField({
    nullable: true,
    description: 'The last report before it; null if the bottle never reported.',
  })
  since: Date | null;

  @InstantField({ nullable: true, description: 'The first report after it; null while it lasts.' })
  until: Date | null;
}

export class TodaysDoseDto {
  @InstantField()
  scheduled_at: Date;

  @EnumField(DOSE_STATUSES, {
    description:
      'upcoming: before its time. due: from its time on, and not known to be late. late: a report after `late_at` ' +
      'shows that it was not taken whole. unknown: it cannot be known, see `offline`, `unreported`, `unclear_closing` and `period`. Otherwise its outcome.',
  })
  status: DoseStatus;

  @InstantField({ description: 'On time up to here, inclusive.' })
  late_at: Date;

  @InstantField({ description: 'Late up to here, inclusive. Later removals do not count.' })
  missed_at: Date;

  @NumberField()
  pills_scheduled: number;

  @NumberField()
  pills_taken: number;

  @InstantField({ nullable: true, description: 'When enough pills had been removed.' })
  taken_at: Date | null;

  @ObjectField(() => OfflineDto, {
    nullable: true,
    description: 'Why the dose is unknown. Of a late dose: the bottle has been silent since.',
  })
  offline: OfflineDto | null;

  @ObjectField(() => UnreportedPillsDto, {
    nullable: true,
    description: 'Why the dose is unknown though the bottle was connected: a closing was lost.',
  })
  unreported: UnreportedPillsDto | null;

  @ObjectField(() => UnclearClosingDto, {
    nullable: true,
    description:
      'Why the dose is unknown though the bottle was connected: no report shows what was taken out at this closing.',
  })
  unclear_closing: UnclearClosingDto | null;

  @ObjectField(() => DosePeriodDto, {
    nullable: true,
    description:
      'Why the dose is not monitored. Of an unknown one: it may have been taken in this period of another bottle of the plan.',
  })
  period: DosePeriodDto | null;

  @Reported()
  reported: ReportedDto | null;

  @EarlierReports()
  earlier_reports: StatementDto[];
}

/** The pills of the last 24 hours. */
export class AsNeededCountDto {
  @InstantField({ description: '24 hours ago.' })
  since: Date;

  @NumberField()
  pills_taken: number;

  @NumberField({ description: 'Whole doses taken.' })
  doses: number;

  @NumberField({ description: 'The limit of 24 hours.' })
  max_pills: number;

  @NumberField({ description: 'Pills over the limit.' })
  extra_pills: number;
}

/** The doses of the patient's local day as they stand now, from the log: a report counts as soon as it is logged. */
export class TodayDto {
  @TextField({ description: '`YYYY-MM-DD` in the time zone of the patient.' })
  local_date: string;

  @EnumField(SCHEDULE_STATES, {
    description:
      'Whether doses are due at all. not_monitored: the bottle says nothing of them. ended: none is due in the next 400 days. shared: the bottle is for the plan of another one, which has the doses.',
  })
  schedule_state: ScheduleState['state'];

  @InstantField({
    nullable: true,
    description:
      'The end of the pause or of the period without monitoring, if it is known, or the start of the first schedule.',
  })
  schedule_state_until: Date | null;

  @ListField(() => TodaysDoseDto, {
    description: 'Doses of the day, and earlier ones without an outcome yet.',
  })
  doses: TodaysDoseDto[];

  @ObjectField(() => AsNeededCountDto, { nullable: true, description: 'Of a schedule as needed.' })
  as_needed: AsNeededCountDto | null;

  @InstantField({ description: 'The earliest time at which this may change without a report.' })
  changes_at: Date;
}
