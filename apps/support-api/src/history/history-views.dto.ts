import type { BottleAction, BottleHeartbeat, DoseOutcome } from '#persistence';
import { Count, Id, Text, Time, Word } from '../http/shown.js';

export class ActionDto {
  @Id()
  id: string;

  @Word(['opened', 'closed'])
  action: string;

  @Time({ description: 'When it happened.' })
  time: Date;

  @Time({ description: 'When we heard of it.' })
  received_at: Date;

  @Time({ nullable: true, description: "The device's own time, where it had to be corrected." })
  device_time: Date | null;

  @Count({ description: 'Grams.' })
  mass_of_contents: number;

  @Count()
  number_of_pills: number;

  @Count({ nullable: true, description: 'When closed: the pills that were removed.' })
  pills_taken: number | null;

  @Text({ nullable: true, description: "The device's own name for the event." })
  event_id: string | null;
}

export class HeartbeatDto {
  @Id()
  id: string;

  @Time({ description: 'When we heard it.' })
  time: Date;

  @Count({ nullable: true })
  battery_percent: number | null;

  @Count({ nullable: true })
  rssi_dbm: number | null;

  @Count({ nullable: true, description: 'Grams.' })
  mass_of_contents: number | null;

  @Count({ nullable: true })
  number_of_pills: number | null;
}

export const OUTCOMES: readonly DoseOutcome['outcome'][] = [
  'taken_early',
  'taken_on_time',
  'taken_late',
  'partial',
  'missed',
  'unknown',
];

export class DoseDto {
  @Time()
  scheduled_at: Date;

  @Word(OUTCOMES)
  outcome: string;

  @Time({ nullable: true })
  taken_at: Date | null;

  @Count()
  pills_scheduled: number;

  @Count()
  pills_taken: number;

  @Time()
  judged_at: Date;
}

/** {@link ActionDto} as CSV. */
export const ACTION_COLUMNS = [
  'id',
  'action',
  'time',
  'received_at',
  'device_time',
  'mass_of_contents',
  'number_of_pills',
  'pills_taken',
  'event_id',
];

/** {@link HeartbeatDto} as CSV. */
export const HEARTBEAT_COLUMNS = [
  'id',
  'time',
  'battery_percent',
  'rssi_dbm',
  'mass_of_contents',
  'number_of_pills',
];

/** {@link DoseDto} as CSV. */
export const DOSE_COLUMNS = [
  'scheduled_at',
  'outcome',
  'taken_at',
  'pills_scheduled',
  'pills_taken',
  'judged_at',
];

export function actionView(action: BottleAction): ActionDto {
  return {
    id: action._id.toHexString(),
    action: action.action,
    time: action.time,
    received_at: action.received_at,
    device_time: action.device_time ?? null,
    mass_of_contents: action.mass_of_contents,
    number_of_pills: action.number_of_pills,
    pills_taken: action.pills_taken ?? null,
    event_id: action.event_id ?? null,
  };
}

export function heartbeatView(heartbeat: BottleHeartbeat): HeartbeatDto {
  return {
    id: heartbeat._id.toHexString(),
    time: heartbeat.time,
    battery_percent: heartbeat.battery_percent ?? null,
    rssi_dbm: heartbeat.rssi_dbm ?? null,
    mass_of_contents: heartbeat.mass_of_contents ?? null,
    number_of_pills: heartbeat.number_of_pills ?? null,
  };
}

export function doseView(dose: DoseOutcome): DoseDto {
  return {
    scheduled_at: dose.scheduled_at,
    outcome: dose.outcome,
    taken_at: dose.taken_at ?? null,
    pills_scheduled: dose.pills_scheduled,
    pills_taken: dose.pills_taken,
    judged_at: dose.judged_at,
  };
}
