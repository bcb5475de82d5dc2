import type { Pause, Slot } from '#domain';
import {
  type Bottle,
  BOTTLE_STATUSES,
  type BottleState,
  type BottleStatus,
  type DoseOutcome,
  statusOf,
  type StoredScheduleVersion,
} from '#persistence';
import { ApiProperty } from '@nestjs/swagger';
import { AlertDto } from '../alerts/alert-views.dto.js';
import { DoseDto, doseView } from '../history/history-views.dto.js';
import { Count, Id, Json, Text, Time, Word } from '../http/shown.js';

export class LastActionDto {
  @Word(['opened', 'closed'])
  action: string;

  @Time({ description: 'When it happened.' })
  time: Date;

  @Time({ description: 'When we heard of it.' })
  received_at: Date;

  @Count({ description: 'Grams.' })
  mass_of_contents: number;

  @Count()
  number_of_pills: number;
}

export class BottleSummaryDto {
  @Id()
  bottle_id: string;

  @Text()
  user_id: string;

  @Text()
  medication: string;

  @Word(BOTTLE_STATUSES, { description: 'The first that applies, in this order.' })
  status: BottleStatus;

  @Time({ nullable: true })
  last_heard_at: Date | null;

  @ApiProperty({ type: LastActionDto, nullable: true })
  last_action: LastActionDto | null;

  @Count({ nullable: true })
  pills_left: number | null;
}

/** {@link BottleSummaryDto} as CSV. */
export const BOTTLE_COLUMNS = [
  'bottle_id',
  'user_id',
  'medication',
  'status',
  'last_heard_at',
  'last_action.action',
  'last_action.time',
  'last_action.received_at',
  'last_action.mass_of_contents',
  'last_action.number_of_pills',
  'pills_left',
];

export class StatusReasonDto {
  @Word(BOTTLE_STATUSES)
  status: BottleStatus;

  @Time({ nullable: true })
  since: Date | null;

  @Text({ description: 'A sentence for a person.' })
  text: string;
}

export class ScheduleVersionDto {
  @Time()
  effective_from: Date;

  @Text({ description: 'The zone in which its times are read.' })
  time_zone: string;

  @Json()
  schedule: object;
}

export class ComingDosesDto {
  @ApiProperty({ type: () => [NextDoseDto], description: 'In order; at most 20, within a year.' })
  doses: NextDoseDto[];
}

export class NextDoseDto {
  @Time()
  scheduled_at: Date;

  @Count()
  pills: number;
}

export class PauseViewDto {
  @Time()
  from: Date;

  @Time()
  to: Date;
}

/** What the bottle last said of itself in a heartbeat. */
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

export class BottleDto extends BottleSummaryDto {
  @ApiProperty({
    type: [StatusReasonDto],
    description: 'Everything that applies; the first gives the status.',
  })
  reasons: StatusReasonDto[];

  @Text()
  time_zone: string;

  @Time()
  registered_at: Date;

  @ApiProperty({ type: ScheduleVersionDto, nullable: true, description: 'The version in force.' })
  schedule: ScheduleVersionDto | null;

  @ApiProperty({ type: [ScheduleVersionDto], description: 'Versions that begin later.' })
  coming_schedules: ScheduleVersionDto[];

  @ApiProperty({ type: [PauseViewDto], description: 'Those that run and those to come.' })
  pauses: PauseViewDto[];

  @Count({ nullable: true, description: 'What was in it when it was registered.' })
  initial_pills: number | null;

  @Count({
    nullable: true,
    description:
      'Whole days until a dose cannot be taken whole; null when nothing is to be taken, or for a year and more.',
  })
  days_left: number | null;

  @ApiProperty({ type: VitalsDto, nullable: true })
  vitals: VitalsDto | null;

  @ApiProperty({ type: [DoseDto], description: 'The last three that were judged, newest first.' })
  last_doses: DoseDto[];

  @ApiProperty({ type: NextDoseDto, nullable: true })
  next_dose: NextDoseDto | null;

  @ApiProperty({ type: [AlertDto] })
  open_alerts: AlertDto[];

  @Json({ nullable: true, description: 'How far its clock was off when last corrected: {offset_ms, at}.' })
  bad_clock: { offset_ms: number; at: Date } | null;

  @Json({ nullable: true, description: 'A check could not deal with it: {check, error, at}.' })
  set_aside: { check: string; error: string; at: Date } | null;
}

export class RegisteredBottleDto {
  @Id()
  bottle_id: string;

  @Text({ description: "The device's token. It is shown this once." })
  token: string;
}

export class NewTokenDto {
  @Text({ description: "The device's new token. It is shown this once; the old one works no more." })
  token: string;
}

/** @param bottle absent while the bottle is being registered or erased. */
export function summaryView(state: BottleState, bottle: Bottle | undefined): BottleSummaryDto {
  return {
    bottle_id: state._id.toHexString(),
    user_id: state.user_id,
    medication: state.medication,
    status: statusOf(state),
    last_heard_at: state.last_heard_at ?? null,
    last_action: lastActionView(state),
    pills_left: pillsLeft(state, bottle),
  };
}

/** What the last opening or closing said; before the first, what a heartbeat said, or what was filled in. */
export function pillsLeft({ last_action, vitals }: BottleState, bottle: Bottle | undefined): number | null {
  return last_action?.number_of_pills ?? vitals?.number_of_pills ?? bottle?.initial_pills ?? null;
}

function vitalsView({ vitals }: BottleState): VitalsDto | null {
  if (!vitals) return null;
  const { at, battery_percent, rssi_dbm, mass_of_contents, number_of_pills } = vitals;
  return {
    at,
    battery_percent: battery_percent ?? null,
    rssi_dbm: rssi_dbm ?? null,
    mass_of_contents: mass_of_contents ?? null,
    number_of_pills: number_of_pills ?? null,
  };
}

function lastActionView({ last_action }: BottleState): LastActionDto | null {
  if (!last_action) return null;
  const { action, time, received_at, mass_of_contents, number_of_pills } = last_action;
  return { action, time, received_at, mass_of_contents, number_of_pills };
}

export function versionView({
  effective_from,
  time_zone,
  schedule,
}: StoredScheduleVersion): ScheduleVersionDto {
  return { effective_from, time_zone, schedule };
}

/** What a bottle's page is made of. */
export interface BottleFacts {
  bottle: Bottle;
  state: BottleState;
  reasons: StatusReasonDto[];
  inForce: StoredScheduleVersion | undefined;
  coming: StoredScheduleVersion[];
  pauses: Pause[];
  daysLeft: number | null;
  doses: DoseOutcome[];
  next: Slot | undefined;
  openAlerts: AlertDto[];
}

export function bottleView(facts: BottleFacts): BottleDto {
  const { bottle, state, reasons, inForce, coming, pauses, daysLeft, doses, next, openAlerts } = facts;
  const { bad_clock, set_aside } = state;
  return {
    ...summaryView(state, bottle),
    reasons,
    time_zone: bottle.time_zone,
    registered_at: bottle.registered_at,
    schedule: inForce ? versionView(inForce) : null,
    coming_schedules: coming.map(versionView),
    pauses: pauses.map(({ from, to }) => ({ from, to })),
    initial_pills: bottle.initial_pills ?? null,
    days_left: daysLeft,
    vitals: vitalsView(state),
    last_doses: doses.map(doseView),
    next_dose: next ? { scheduled_at: next.scheduled_at, pills: next.pills } : null,
    open_alerts: openAlerts,
    bad_clock: bad_clock ? { offset_ms: bad_clock.offset_ms, at: bad_clock.at } : null,
    set_aside: set_aside ? { check: set_aside.check, error: set_aside.error, at: set_aside.at } : null,
  };
}
