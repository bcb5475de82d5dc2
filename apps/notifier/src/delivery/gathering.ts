const MINUTE_MS = 60_000;
/** How long a summary waits at least for further doses. Milliseconds. */
const GATHERING_MS = 30_000;

/** When a summary is sent: at the full minute that leaves {@link GATHERING_MS} to find the others that belong to it. */
export function gatheredAt(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + GATHERING_MS) / MINUTE_MS) * MINUTE_MS);
}

/** The first full minute after a moment: what waits for one thing is sent at one time. */
export function nextFullMinute(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
}
