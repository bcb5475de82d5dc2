/** A time in which a device-api process accepted reports, both ends included. */
export interface TimeSpan {
  from: Date;
  until: Date;
}

/**
 * For how long of [from, to] reports were accepted: the length of the union of the spans within it.
 *
 * @param intervalMs the interval at which a span's `until` is extended: a process counts as accepting until the next
 *   extension is due
 * @returns milliseconds
 */
export function coveredTime(spans: readonly TimeSpan[], from: Date, to: Date, intervalMs = 0): number {
  const clipped = spans
    .map((span) => ({
      start: Math.max(span.from.getTime(), from.getTime()),
      end: Math.min(span.until.getTime() + intervalMs, to.getTime()),
    }))
    .filter(({ start, end }) => end > start)
    .sort((one, other) => one.start - other.start);
  let total = 0;
  let coveredUntil = Number.NEGATIVE_INFINITY;
  for (const { start, end } of clipped) {
    total += Math.max(0, end - Math.max(start, coveredUntil));
    coveredUntil = Math.max(coveredUntil, end);
  }
  return total;
}

/** How often device-api extends its coverage span: 12 times within a silence, at least every 10 s. Milliseconds. */
export function coverageInterval(silentAfterMs: number): number {
  return Math.min(10_000, Math.ceil(silentAfterMs / 12));
}

/** A beat may be late by as long as it is apart from the one before. */
const BEATS_APART = 2;

/**
 * Whether a beat at `now` extends the span: it follows the beat before by no more than two intervals. After a longer
 * pause, or when the clock has gone back, the process did not listen all the while: the beat begins another span.
 */
export function continuesCoverage({ until }: TimeSpan, now: Date, intervalMs: number): boolean {
  const since = now.getTime() - until.getTime();
  return since >= 0 && since <= BEATS_APART * intervalMs;
}
