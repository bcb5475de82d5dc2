import { SECOND_MS } from '#domain';
import { nextMinute } from '../harness/wall-clock.js';

/** The services' settings that decide when the demo's alerts are raised. Milliseconds. */
export interface DemoThresholds {
  /** SILENT_BOTTLE_AFTER */
  silentAfterMs: number;
  /** OPEN_BOTTLE_AFTER */
  openAfterMs: number;
  /** How long the notifier waits for a backlog after a silence or a first report; 2 minutes by default. */
  backlogGraceMs?: number;
}

/** When each event happens. Unix time in milliseconds. */
export interface DemoPlan {
  heartbeatEvery: number;
  /** The dose that is due for all bottles. */
  slot: number;
  openedAt: number;
  closedAt: number;
  silentFrom: number;
  /** Taken while the bottle is offline. */
  takenInSilenceAt: number;
  backAt: number;
  /** The missed dose. */
  takenLateAt: number;
  endsAt: number;
}

/** The schedule's windows: short enough for the dose to become late, long enough for it not to become missed. */
export const DEMO_WINDOWS = { early_window: '1m', late_after: '5s', missed_after: '10m' } as const;
const LATE_MS = 5_000;

const BACKLOG_GRACE_MS = 120_000;
/** How long an alert stays open, for people to see it. */
const VISIBLE_MS = 15_000;

/**
 * Plans the demo's three alerts so that each condition lasts some 15 s longer than it takes to be detected. The dose
 * is due on the minute that begins in 20 to 80 s, as schedules have no seconds.
 */
export function planDemo(
  now: Date,
  { silentAfterMs, openAfterMs, backlogGraceMs = BACKLOG_GRACE_MS }: DemoThresholds,
): DemoPlan {
  const start = now.getTime();
  const slot = nextMinute(now, 20 * SECOND_MS);
  const heartbeatEvery = silentAfterMs / 4;
  const openedAt = start + 5 * SECOND_MS;
  const silentFrom = start + 8 * SECOND_MS;
  const takenInSilenceAt = slot - 2 * SECOND_MS;
  // a first report ends a silence: a backlog may follow
  const lateFoundAt = Math.max(slot + LATE_MS, start + backlogGraceMs) + heartbeatEvery;
  const backAt = Math.max(silentFrom + silentAfterMs + VISIBLE_MS, takenInSilenceAt + 6 * SECOND_MS);
  const takenLateAt = lateFoundAt + VISIBLE_MS;
  const closedAt = openedAt + openAfterMs + VISIBLE_MS;
  return {
    heartbeatEvery,
    slot,
    openedAt,
    closedAt,
    silentFrom,
    takenInSilenceAt,
    backAt,
    takenLateAt,
    endsAt: Math.max(closedAt, backAt, takenLateAt) + VISIBLE_MS,
  };
}
