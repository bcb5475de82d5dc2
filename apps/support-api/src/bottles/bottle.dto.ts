import { PROBLEM_EFFECTS } from '#domain';
import { BOTTLE_STATUSES, type BottleStatus } from '#persistence';
import { EnumField, InstantField, IntegerField, TextField, TimeZoneField } from '#platform';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { AlertDto } from '../alerts/alert.dto.js';
import { DoseDto } from '../history/history.dto.js';
import { PageQuery } from '../http/paging.js';
import { Count, Id, ListOf, Nested, OneOf, Text, Time, Choice } from '../http/view.js';
import { BOTTLE_SORTS, type BottleSort } from './bottle-order.js';
import { SCHEDULE, ScheduleModels } from './schedule.dto.js';
import { TodayDto } from './today.dto.js';

const NOT_BLANK = { pattern: /\S/, hint: 'must not be blank' };

/** A schedule as JSON. The domain validates its fields. */
function ScheduleField(required: boolean): PropertyDecorator {
  return applyDecorators(ApiProperty({ required, ...SCHEDULE }), Allow());
}

@ScheduleModels()
export class RegisterBottleDto {
  @TextField({ ...NOT_BLANK, description: "The user's id in the operator's own system." })
  user_id: string;

  @TextField({ ...NOT_BLANK, example: 'Cordrazine' })
  medication: string;

  @TimeZoneField({ description: "The patient's time zone." })
  time_zone: string;

  @IntegerField({ optional: true, min: 0, max: 100_000, description: 'The current content.' })
  number_of_pills?: number;

  @ScheduleField(false)
  schedule?: unknown;
}

/** At least one of the fields. */
export class ChangeBottleDto {
  @TextField({ ...NOT_BLANK, optional: true })
  user_id?: string;

  @TextField({ ...NOT_BLANK, optional: true })
  medication?: string;

  @TimeZoneField({
    optional: true,
    description: "Applies from now on to schedules that follow the bottle's time zone.",
  })
  time_zone?: string;
}

@ScheduleModels()
export class SetScheduleDto {
  @ScheduleField(true)
  schedule: unknown;
}

@ScheduleModels()
export class PreviewScheduleDto extends SetScheduleDto {
  @TimeZoneField({ description: "The patient's time zone." })
  time_zone: string;
}

/** No dose is due in [from, to). */
export class PauseDto {
  @InstantField({ optional: true, description: 'Default: now.' })
  from?: string;

  @InstantField()
  to: string;
}

export class EndPauseQuery {
  @InstantField({ description: 'The start of the pause.' })
  from: string;
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

  @TextField({ optional: true })
  user_id?: string;

  @TextField({ optional: true })
  medication?: string;
}

export class LastActionDto {
  @Choice(['opened', 'closed'])
  action: string;

  @Time({ description: 'When it happened.' })
  time: Date;

  @Time({ description: 'When the report was received.' })
  received_at: Date;

  @Count({ nullable: true, description: 'Grams. Null if the bottle did not report it.' })
  mass_of_contents: number | null;

  @Count({ nullable: true })
  number_of_pills: number | null;
}

export class BottleSummaryDto {
  @Id()
  bottle_id: string;

  @Text()
  user_id: string;

  @Text()
  medication: string;

  @Choice(BOTTLE_STATUSES, {
    description:
      'For lists, of device and doses: the first that applies, in this order. ok says nothing of past doses.',
  })
  status: BottleStatus;

  @Time({ nullable: true })
  last_heard_at: Date | null;

  @Nested(() => LastActionDto, { nullable: true })
  last_action: LastActionDto | null;

  @Count({ nullable: true })
  pills_left: number | null;
}

/** A bottle in a list. */
export class ListedBottleDto extends BottleSummaryDto {
  @Text({ nullable: true, description: "The patient's time zone." })
  time_zone: string | null;

  @Time({
    nullable: true,
    description: 'The next dose by the schedule and outside pauses, even if it was taken early.',
  })
  next_dose_at: Date | null;

  @Count({ description: 'Alerts that are open or acknowledged.' })
  open_alert_count: number;

  @Count({ nullable: true, description: 'Of the last heartbeat.' })
  battery_percent: number | null;
}

export class StatusReasonDto {
  @Choice(BOTTLE_STATUSES)
  status: BottleStatus;

  @Time({ nullable: true })
  since: Date | null;

  @Text({ description: 'A sentence for people.' })
  text: string;
}

export const DEVICE_STATUSES = ['unknown', 'silent', 'open', 'ok'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** The state of the device. It says nothing of doses. */
export class DeviceDto {
  @Choice(DEVICE_STATUSES, { description: 'The first that applies, in this order.' })
  status: DeviceStatus;

  @Time({ nullable: true })
  since: Date | null;

  @Text({ description: 'A sentence for people.' })
  text: string;
}

@ScheduleModels()
export class ScheduleVersionDto {
  @Time()
  effective_from: Date;

  @Text({ description: 'The time zone of its times.' })
  time_zone: string;

  @OneOf(SCHEDULE.oneOf)
  schedule: object;
}

export class NextDoseDto {
  @Time()
  scheduled_at: Date;

  @Count()
  pills: number;
}

export class ComingDosesDto {
  @ListOf(() => NextDoseDto, { description: 'In order; at most 20, within a year.' })
  doses: NextDoseDto[];
}

export class PauseViewDto {
  @Time()
  from: Date;

  @Time()
  to: Date;
}

/** What the last heartbeat carried. */
export class VitalsDto {
  @Time()
  at: Date;

  @Count({ nullable: true })
  battery_percent: number | null;

  @Count({ nullable: true })
  rssi_dbm: number | null;

  @Count({ nullable: true, description: 'Grams.' })
  mass_of_contents: number | null;

  @Count({ nullable: true })
  number_of_pills: number | null;
}

export class BadClockDto {
  @Count({ description: "The device's clock minus ours." })
  offset_ms: number;

  @Time()
  at: Date;
}

export class QuarantineDto {
  @Text()
  check: string;

  @Text()
  error: string;

  @Time()
  at: Date;
}

/** Something that is wrong with a bottle's reports. */
export class ReportProblemDto {
  @Choice(PROBLEM_EFFECTS, {
    description:
      'refused: reports were refused for it; ignored: the field was left out; kept: it was kept, and can hardly be so.',
  })
  effect: string;

  @Text({ description: 'As the bottle sent it; empty if it was no single field.' })
  field: string;

  @Text({
    description: 'The code of the answer: `unknown_field`, `out_of_range`, `invalid_time` and the like.',
  })
  reason: string;

  @Text({ description: "The value's JSON type, `missing`, or `report`." })
  value_kind: string;

  @Time()
  first_at: Date;

  @Time()
  last_at: Date;

  @Count({ description: 'How many reports had it, about.' })
  count: number;
}

export class BottleDto extends BottleSummaryDto {
  @Nested(() => DeviceDto)
  device: DeviceDto;

  @Nested(() => TodayDto)
  today: TodayDto;

  @ListOf(() => StatusReasonDto, { description: 'Everything that applies; the first determines the status.' })
  reasons: StatusReasonDto[];

  @Text()
  time_zone: string;

  @Time()
  registered_at: Date;

  @Nested(() => ScheduleVersionDto, { nullable: true, description: 'The schedule version in effect.' })
  schedule: ScheduleVersionDto | null;

  @ListOf(() => ScheduleVersionDto, { description: 'Versions that take effect later.' })
  coming_schedules: ScheduleVersionDto[];

  @ListOf(() => PauseViewDto, { description: 'Current and future pauses.' })
  pauses: PauseViewDto[];

  @Count({ nullable: true, description: 'The content at registration.' })
  initial_pills: number | null;

  @Count({
    nullable: true,
    description:
      'Whole days until the pills do not suffice for a dose that is not taken yet; null if there is no schedule or ' +
      'for more than a year.',
  })
  days_left: number | null;

  @Nested(() => VitalsDto, { nullable: true })
  vitals: VitalsDto | null;

  @ListOf(() => DoseDto, {
    description: 'The last three doses with an outcome that are not in `today`, newest first.',
  })
  last_doses: DoseDto[];

  @Nested(() => NextDoseDto, {
    nullable: true,
    description: 'The next dose after now that is not taken yet.',
  })
  next_dose: NextDoseDto | null;

  @ListOf(() => AlertDto)
  open_alerts: AlertDto[];

  @Nested(() => BadClockDto, { nullable: true, description: 'The clock offset when it was last corrected.' })
  bad_clock: BadClockDto | null;

  @Nested(() => QuarantineDto, {
    nullable: true,
    description: 'A check failed on this bottle and quarantined it.',
  })
  set_aside: QuarantineDto | null;

  @ListOf(() => ReportProblemDto, {
    description: 'What was wrong with its reports of the last 7 days, the newest first; at most 30.',
  })
  report_problems: ReportProblemDto[];
}

export class RegisteredBottleDto {
  @Id()
  bottle_id: string;

  @Text({ description: "The device's token. It is shown only once." })
  token: string;
}

export class NewTokenDto {
  @Text({ description: "The device's new token. It is shown only once. The old token stops working." })
  token: string;
}

export class ImportedBottleDto extends RegisteredBottleDto {
  @Count({ description: 'The line in the file, starting with 1.' })
  line: number;
}

export class ImportedBottlesDto {
  @ListOf(() => ImportedBottleDto, { description: 'In the order of the file.' })
  created: ImportedBottleDto[];
}

export class CheckedImportDto {
  @Count({ description: 'How many bottles the file has.' })
  bottles: number;
}
