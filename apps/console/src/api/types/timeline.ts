import type { Alert } from './alerts.js';
import type { LastAction } from './bottle.js';
import type { Instant } from './common.js';
import type { Delivery } from './deliveries.js';

/** An opening or a closing. */
export interface Action extends LastAction {
  id: string;
  device_time: Instant | null;
  pills_taken: number | null;
}

/** A time without heartbeats though some were due. */
export interface HeartbeatGap {
  after: Instant;
  until: Instant | null;
  missed: number;
  listened_ms: number;
}

export type TimelineEntry = { at: Instant } & (
  | { kind: 'action'; action: Action }
  | { kind: 'heartbeats_missed'; gap: HeartbeatGap }
  | { kind: 'alert_raised' | 'alert_ended'; alert: Alert }
  | { kind: 'message'; message: Delivery }
);
