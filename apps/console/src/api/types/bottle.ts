import type { Alert } from './alerts.js';
import type { Instant } from './common.js';
import type { Dose } from './doses.js';
import type { Pause, ScheduleVersion } from './schedule.js';

export const STATUSES = ['late', 'open', 'silent', 'unknown', 'ok'] as const;
export type Status = (typeof STATUSES)[number];

export interface LastAction {
  action: 'opened' | 'closed';
  time: Instant;
  received_at: Instant;
  mass_of_contents: number;
  number_of_pills: number;
}

export interface BottleSummary {
  bottle_id: string;
  user_id: string;
  medication: string;
  status: Status;
  last_heard_at: Instant | null;
  last_action: LastAction | null;
  pills_left: number | null;
}

export interface StatusReason {
  status: Status;
  since: Instant | null;
  text: string;
}

export interface Vitals {
  at: Instant;
  battery_percent?: number | null;
  rssi_dbm?: number | null;
  mass_of_contents?: number | null;
  number_of_pills?: number | null;
}

export interface Bottle extends BottleSummary {
  reasons: StatusReason[];
  time_zone: string;
  registered_at: Instant;
  schedule: ScheduleVersion | null;
  coming_schedules: ScheduleVersion[];
  last_doses: Dose[];
  next_dose: { scheduled_at: Instant; pills: number } | null;
  open_alerts: Alert[];
  bad_clock: { offset_ms: number; at: Instant } | null;
  set_aside: { check: string; error: string; at: Instant } | null;
  pauses: Pause[];
  days_left: number | null;
  initial_pills: number | null;
  vitals: Vitals | null;
}

/** What is left of a bottle that was erased. */
export interface ErasureReceipt {
  bottle_id: string;
  erased_at: Instant;
  erased_by: string;
  counts: Record<'actions' | 'heartbeats' | 'doses' | 'alerts' | 'deliveries' | 'vitals', number>;
}
