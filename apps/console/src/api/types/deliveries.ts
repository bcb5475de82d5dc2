import type { AlertKind } from './alerts.js';
import type { Instant } from './common.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Attempt {
  at: Instant;
  ok: boolean;
  status: number | null;
  error: string | null;
}

export interface Delivery {
  id: string;
  alert_id: string;
  bottle_id: string;
  kind: AlertKind;
  event: string;
  step: string;
  recipient: string;
  channel: string;
  status: DeliveryStatus;
  reason: string | null;
  created_at: Instant;
  next_attempt_at: Instant | null;
  attempts: Attempt[];
}
