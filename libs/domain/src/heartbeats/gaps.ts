/** A bottle says this often that it is there. Milliseconds. */
export const HEARTBEAT_INTERVAL = 30 * 60_000;

/** A time without heartbeats though some were due. */
export interface HeartbeatGap {
  /** The last heartbeat before it. */
  after: Date;
  /** The first heartbeat behind it; absent while it lasts. */
  until?: Date;
  /** How many should have come in it; one counts as missed when it is late by half an interval. */
  missed: number;
}

/**
 * The gaps between heartbeats, newest first.
 *
 * @param times receive times, newest first.
 * @param next the heartbeat that followed the newest of them; when undefined, none has come up to `now`.
 */
export function heartbeatGaps(times: readonly Date[], next: Date | undefined, now: Date): HeartbeatGap[] {
  return times.flatMap((after, index) => {
    const until = index === 0 ? next : times[index - 1];
    const length = (until ?? now).getTime() - after.getTime();
    const missed = Math.round(length / HEARTBEAT_INTERVAL) - 1;
    return missed > 0 ? [{ after, missed, ...(until ? { until } : {}) }] : [];
  });
}
