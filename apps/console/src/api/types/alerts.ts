import type { Instant } from './common.js';
import type { Delivery } from './deliveries.js';

export const ALERT_KINDS = [
  'fleet_incident',
  'missed_dose',
  'bottle_open',
  'bottle_silent',
  'extra_dose',
  'low_supply',
  'count_mismatch',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const ALERT_STATES = ['open', 'acknowledged', 'resolved', 'retracted'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export interface Alert {
  id: string;
  bottle_id: string;
  user_id: string;
  medication: string;
  kind: AlertKind;
  subject: string;
  state: AlertState;
  deadline: Instant;
  raised_at: Instant;
  ended_at: Instant | null;
  snoozed_until: Instant | null;
  acknowledged_by: string | null;
  acknowledged_at: Instant | null;
  dead_deliveries: number;
}

export interface AlertEvent {
  event: string;
  at: Instant;
  by: string;
  note: string | null;
}

export interface AlertDetail extends Alert {
  evidence: { rule: string } & Record<string, unknown>;
  suppressed: { kind: AlertKind; reason: string; at: Instant }[];
  dismissed: boolean;
  next_step_at: Instant | null;
  history: AlertEvent[];
  deliveries: Delivery[];
}
