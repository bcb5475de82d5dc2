import type { AlertKind } from './alerts.js';
import type { Status } from './bottle.js';
import type { Instant } from './common.js';

export interface Fleet {
  counted_at: Instant;
  bottles: { total: number; by_status: Record<Status, number> };
  open_alerts: Record<AlertKind, number>;
  ingest: { heartbeats_per_minute: number | null; actions_per_minute: number | null };
  notifier: { lag_ms: Record<'silent' | 'open' | 'dose', number> };
}
