import { nextMinute } from '../simulator/wall-clock.js';

/** The services' settings that decide when the demo's troubles are found. Milliseconds. */
export interface DemoThresholds {
  /** SILENT_BOTTLE_AFTER */
  silentAfterMs: number;
  /** OPEN_BOTTLE_AFTER */
  openAfterMs: number;
  /** How long after a silence, or a bottle's first report, the notifier waits for a backlog; 2 minutes unless told. */
  backlogGraceMs?: number;
}

/** When what happens: epoch milliseconds. */
export interface DemoPlan {
  heartbeatEvery: number;
  /** The dose that all are to take. */
  slot: number;
  openedAt: number;
  closedAt: number;
  silentFrom: number;
  /** Taken while nobody could hear of it. */
  takenInSilenceAt: number;
  backAt: number;
  /** The missed dose, after all. */
  takenLateAt: number;
  endsAt: number;
}

/** The demo's schedule: short enough to see it late, and never missed for good. */
export const DEMO_WINDOWS = { early_window: '1m', late_after: '5s', missed_after: '10m' } as const;
const LATE_MS = 5_000;

const BACKLOG_GRACE_MS = 120_000;
/** For an alert to be found, told and read before its cause is over. */
const TO_BE_SEEN_MS = 15_000;
const SECOND = 1_000;

/**
 * Lays the demo's three troubles out so that each lasts some 15 s longer than it takes to be found. The dose is
 * due on the minute that begins in 20 to 80 s, as schedules have no seconds.
 */
export function planDemo(
  now: Date,
  { silentAfterMs, openAfterMs, backlogGraceMs = BACKLOG_GRACE_MS }: DemoThresholds,
): DemoPlan {
  const start = now.getTime();
  const slot = nextMinute(now, 20 * SECOND);
  const heartbeatEvery = silentAfterMs / 4;
  const openedAt = start + 5 * SECOND;
  const silentFrom = start + 8 * SECOND;
  const takenInSilenceAt = slot - 2 * SECOND;
  // a first report is like the end of a silence: what came before it may still be on its way
  const lateFoundAt = Math.max(slot + LATE_MS, start + backlogGraceMs) + heartbeatEvery;
  const backAt = Math.max(silentFrom + silentAfterMs + TO_BE_SEEN_MS, takenInSilenceAt + 6 * SECOND);
  const takenLateAt = lateFoundAt + TO_BE_SEEN_MS;
  const closedAt = openedAt + openAfterMs + TO_BE_SEEN_MS;
  return {
    heartbeatEvery,
    slot,
    openedAt,
    closedAt,
    silentFrom,
    takenInSilenceAt,
    backAt,
    takenLateAt,
    endsAt: Math.max(closedAt, backAt, takenLateAt) + TO_BE_SEEN_MS,
  };
}
