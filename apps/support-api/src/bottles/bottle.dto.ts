import { type DoseTimes, LIFE_STATES, type Life } from '#domain';
import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import {
  EnumField,
  IdField,
  InstantField,
  ListField,
  NumberField,
  ObjectField,
  PillsField,
  TextField,
  TimeZoneField,
  USER_ID,
} from '#platform';
import { AlertDto } from '../alerts/alert.dto.js';
import { DoseDto } from '../history/history.dto.js';
import { PageQuery } from '../http/paging.js';
import { BOTTLE_SORTS, type BottleSort } from './bottle-order.js';
import {
  BadClockDto,
  DeviceDto,
  MonitoredSince,
  QuarantineDto,
  ReportProblemDto,
  VitalsDto,
} from './device.dto.js';
import {
  DoseTimesField,
  MOST_STEPS,
  MovedDoseDto,
  NextDoseDto,
  PauseViewDto,
  ScheduleVersionDto,
  ScheduleWarningDto,
} from './plan.dto.js';
import { BottleLifeDto } from './life.dto.js';
import { UnmonitoredPeriodDto } from './periods.dto.js';
import { ScheduleField, ScheduleModels, StepsField } from './schedule.dto.js';
import { TodayDto } from './today.dto.js';

const NOT_BLANK = { pattern: /\S/, hint: 'must not be blank' };
/** One line, for it stands in a sentence of messages. */
const LABEL = { hint: 'must be one line without spaces around it, of at most 60 characters', max: 60 };

@ScheduleModels()
export class RegisterBottleDto {
  @TextField({
    ...USER_ID,
    example: 'willcross1024',
    description: "The user's id in the operator's own system.",
  })
  user_id: string;

  @TextField({ ...NOT_BLANK, example: 'Cordrazine' })
  medication: string;

  @TextField({
    ...LABEL,
    pattern: /^\S(.*\S)?$/,
    optional: true,
    example: 'blue, kitchen',
    description: 'By which people tell the bottle from their others: messages and their pages name it.',
  })
  label?: string;

  @TimeZoneField({ description: "The patient's time zone." })
  time_zone: string;

  @PillsField({ optional: true, min: 0, max: 100_000, description: 'The current content.' })
  number_of_pills?: number;

  @ScheduleField(false)
  schedule?: unknown;

  @IdField({
    optional: true,
    description:
      'The bottle whose plan it is for, of the same user and medication: pills removed from either count for one dose. It ' +
      'then has no schedule of its own.',
  })
  plan_of?: string;

  @StepsField(MOST_STEPS)
  steps?: unknown;
}

/** At least one of the fields. */
export class ChangeBottleDto {
  @TextField({ ...USER_ID, optional: true })
  user_id?: string;

  @TextField({ ...NOT_BLANK, optional: true })
  medication?: string;

  @TextField({
    ...LABEL,
    pattern: /^(\S(.*\S)?)?$/,
    min: 0,
    optional: true,
    description: 'As at the registration; empty to remove it.',
  })
  label?: string;

  @TimeZoneField({
    optional: true,
    description: "Applies to schedules that follow the bottle's time zone, from the next dose on that fits.",
  })
  time_zone?: string;

  @DoseTimesField()
  dose_times?: DoseTimes;

  @IdField({
    optional: true,
    nullable: true,
    description:
      'The bottle whose plan it is for from now on, of the same user and medication; its own plan ends. Null: it is for no ' +
      'other bottle’s plan any more.',
  })
  plan_of?: string | null;
}

export class ListBottlesQuery extends PageQuery {
  @TextField({
    ...NOT_BLANK,
    optional: true,
    description:
      "A part of the bottle's id, the user's id or the medication; case is ignored. A request examines a limited " +
      'number of matches, so if the other filters exclude many of them, a page can be short or empty although more ' +
      'follow.',
  })
  q?: string;

  @EnumField(BOTTLE_SORTS, {
    optional: true,
    description:
      'Default: registered, oldest first; `-` reverses. user_id takes no filter. last_seen, longest silent first, ' +
      'requires status=silent and takes no other filter. next_dose has the bottles with a next dose, battery (the ' +
      'lowest first, as of the last reconcile) those that report it; they take no filter. Not with `q`.',
  })
  sort?: BottleSort;

  @EnumField(BOTTLE_STATUSES, { optional: true })
  status?: BottleStatus;

  @TextField({ max: 200, optional: true })
  user_id?: string;

  @TextField({ max: 200, optional: true })
  medication?: string;

  @EnumField([...LIFE_STATES, 'any'], {
    optional: true,
    description:
      'Default: in_use; with `q` any. A bottle that is stored or retired has the status of its device. Orders other ' +
      'than registered have only bottles in use.',
  })
  life?: Life | 'any';
}

export class LastActionDto {
  @EnumField(['opened', 'closed'])
  action: string;

  @InstantField({ description: 'When it happened.' })
  time: Date;

  @InstantField({ description: 'When the report was received.' })
  received_at: Date;

  @NumberField({ nullable: true, description: 'Grams. Null if the bottle did not report it.' })
  mass_of_contents: number | null;

  @NumberField({ nullable: true })
  number_of_pills: number | null;
}

export class BottleSummaryDto {
  @IdField()
  bottle_id: string;

  @TextField()
  user_id: string;

  @TextField()
  medication: string;

  @TextField({ nullable: true, description: 'By which people tell it from their other bottles.' })
  label: string | null;

  @EnumField(BOTTLE_STATUSES, {
    description:
      'For lists, of device and doses: the first that applies, in this order. ok says nothing of past doses.',
  })
  status: BottleStatus;

  @InstantField({ nullable: true })
  last_heard_at: Date | null;

  @ObjectField(() => LastActionDto, { nullable: true })
  last_action: LastActionDto | null;

  @NumberField({ nullable: true })
  pills_left: number | null;

  @ObjectField(() => BottleLifeDto, {
    nullable: true,
    description: 'Null while it is being registered or erased.',
  })
  life: BottleLifeDto | null;
}

/** A bottle in a list. */
export class ListedBottleDto extends BottleSummaryDto {
  @TextField({ nullable: true, description: 'Of the user, from the contact; null if there is none.' })
  user_name: string | null;

  @TextField({ nullable: true, description: "The patient's time zone." })
  time_zone: string | null;

  @InstantField({
    nullable: true,
    description: 'The next dose by the schedule and outside pauses, even if it was taken early.',
  })
  next_dose_at: Date | null;

  @NumberField({ description: 'Alerts that are open or acknowledged.' })
  open_alert_count: number;

  @NumberField({ nullable: true, description: 'Of the last heartbeat.' })
  battery_percent: number | null;
}

export class StatusReasonDto {
  @EnumField(BOTTLE_STATUSES)
  status: BottleStatus;

  @InstantField({ nullable: true })
  since: Date | null;

  @TextField({ description: 'A sentence for people.' })
  text: string;
}

/** A further bottle that is for the plan of this one. */
export class PlanMemberDto {
  @IdField()
  bottle_id: string;

  @InstantField({ description: 'Since when what is removed from it counts for the doses of this bottle.' })
  since: Date;

  @NumberField({ nullable: true })
  pills_left: number | null;
}

export class BottleDto extends BottleSummaryDto {
  @IdField({
    nullable: true,
    description:
      'The bottle whose plan it is for: that one has the doses. Null: it has a plan of its own, or none.',
  })
  plan_of: string | null;

  @ListField(() => PlanMemberDto, { description: 'The further bottles that are for its plan.' })
  plan_members: PlanMemberDto[];

  @ObjectField(() => DeviceDto)
  device: DeviceDto;

  @ObjectField(() => TodayDto)
  today: TodayDto;

  @ListField(() => StatusReasonDto, {
    description: 'Everything that applies; the first determines the status.',
  })
  reasons: StatusReasonDto[];

  @TextField()
  time_zone: string;

  @InstantField()
  registered_at: Date;

  @MonitoredSince()
  monitored_since: Date | null;

  @ObjectField(() => ScheduleVersionDto, { nullable: true, description: 'The schedule version in effect.' })
  schedule: ScheduleVersionDto | null;

  @NumberField({
    nullable: true,
    description:
      'Doses of the schedule version in effect that are still to be due; null if it has no number of doses.',
  })
  doses_left: number | null;

  @ObjectField(() => ScheduleVersionDto, {
    nullable: true,
    description: 'The step before the one in effect: it applies again if that is removed.',
  })
  previous_schedule: ScheduleVersionDto | null;

  @ListField(() => ScheduleVersionDto, { description: 'Versions that take effect later.' })
  coming_schedules: ScheduleVersionDto[];

  @ListField(() => PauseViewDto, { description: 'Current and future pauses.' })
  pauses: PauseViewDto[];

  @ListField(() => UnmonitoredPeriodDto, {
    description:
      'Current and future periods without monitoring, pauses included; the one that begins last first.',
  })
  periods: UnmonitoredPeriodDto[];

  @NumberField({ nullable: true, description: 'The content at registration.' })
  initial_pills: number | null;

  @NumberField({
    nullable: true,
    description:
      'Whole days until the pills, with those of the further bottles of its plan, do not suffice for a dose that is not ' +
      'taken yet; null if there is no schedule or for more than a year.',
  })
  days_left: number | null;

  @ObjectField(() => VitalsDto, { nullable: true })
  vitals: VitalsDto | null;

  @ListField(() => DoseDto, {
    description: 'The last three doses with an outcome that are not in `today`, newest first.',
  })
  last_doses: DoseDto[];

  @ObjectField(() => NextDoseDto, {
    nullable: true,
    description: 'The next dose after now that is not taken yet.',
  })
  next_dose: NextDoseDto | null;

  @ListField(() => AlertDto)
  open_alerts: AlertDto[];

  @ObjectField(() => BadClockDto, {
    nullable: true,
    description: 'The clock offset when it was last corrected.',
  })
  bad_clock: BadClockDto | null;

  @ObjectField(() => QuarantineDto, {
    nullable: true,
    description: 'A check failed on this bottle and quarantined it.',
  })
  set_aside: QuarantineDto | null;

  @ListField(() => ReportProblemDto, {
    description: 'What was wrong with its reports of the last 7 days, the newest first; at most 30.',
  })
  report_problems: ReportProblemDto[];
}

export class RegisteredBottleDto {
  @IdField()
  bottle_id: string;

  @TextField({ description: "The device's token. It is shown only once." })
  token: string;

  @ListField(() => ScheduleWarningDto, { description: 'Why doses of its schedule cannot be judged well.' })
  warnings: ScheduleWarningDto[];
}

export class NewTokenDto {
  @TextField({ description: "The device's new token. It is shown only once. The old token stops working." })
  token: string;
}

/** A bottle after a change. */
@ScheduleModels()
export class ChangedBottleDto extends BottleDto {
  @ListField(() => MovedDoseDto, {
    description:
      'After a move to another time zone: the doses of the next 7 days before and after it, at most 10.',
  })
  moved_doses: MovedDoseDto[];
}
