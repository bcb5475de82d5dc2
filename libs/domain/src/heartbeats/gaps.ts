/** How often a bottle sends a heartbeat. Milliseconds. */
export const HEARTBEAT_INTERVAL = 30 * 60_000;

/** A time in which expected heartbeats are missing. */
export interface HeartbeatGap {
  /** The last heartbeat before it. */
  after: Date;
  /** The first heartbeat after it; absent while it lasts. */
  until?: Date;
  /** How many heartbeats are missing; one that is late by half an interval counts. */
  missed: number;
}

/**
 * The gaps between heartbeats, newest first.
 *
 * @param times receive times, newest first.
 * @param next the heartbeat after the newest of them; undefined if there is none up to `now`
 */
export function heartbeatGaps(times: readonly Date[], next: Date | undefined, now: Date): HeartbeatGap[] {
  return times.flatMap((after, index) => {
    const until = index === 0 ? next : times[index - 1];
    const length = (until ?? now).getTime() - after.getTime();
    const missed = Math.round(length / HEARTBEAT_INTERVAL) - 1;
    return missed > 0 ? [{ after, missed, ...(until ? { until } : {}) }] : [];
  });
}
