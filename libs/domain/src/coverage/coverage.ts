import { groupBy } from '../group-by.js';

/** A time in which a device-api process accepted reports, both ends included. */
export interface TimeSpan {
  from: Date;
  until: Date;
}

/** A time in which one device-api process accepted reports. */
export interface ProcessSpan extends TimeSpan {
  /** The host, port and worker that accepted them; absent in spans of older versions, which leave no doubt. */
  listener?: string;
  /** Whether its process stopped in an orderly way: all that it had accepted is stored. */
  ended?: boolean;
}

/** A time in which no reports were accepted: from its beginning, included, to its end. Epoch milliseconds. */
export interface CoverageGap {
  from: number;
  until: number;
}

/**
 * When in [from, to] no reports were accepted, in order.
 *
 * @param intervalMs the interval at which a span's `until` is extended: a process counts as accepting until the next
 *   extension is due
 */
export function coverageGaps(
  spans: readonly TimeSpan[],
  from: Date,
  to: Date,
  intervalMs = 0,
): CoverageGap[] {
  const inOrder = spans
    .map((span) => ({ start: span.from.getTime(), end: span.until.getTime() + intervalMs }))
    .sort((one, other) => one.start - other.start);
  const gaps: CoverageGap[] = [];
  let coveredUntil = from.getTime();
  for (const { start, end } of [...inOrder, { start: to.getTime(), end: to.getTime() }]) {
    const until = Math.min(start, to.getTime());
    if (until > coveredUntil) gaps.push({ from: coveredUntil, until });
    coveredUntil = Math.max(coveredUntil, end);
  }
  return gaps;
}

/**
 * For so long after its last beat a device-api that does not beat may be frozen and hold the connections of bottles, who
 * reach no other one. Afterwards its liveness check has failed, and the callers' requests have timed out. Milliseconds.
 */
export const MAY_HOLD_MS = 120_000;

/**
 * When a device-api may have held reports without accepting them, whoever else accepted reports: from when a beat of it
 * was due until its place beats again, or it can hold none any more. In no particular order.
 *
 * @param spans with those that ended up to {@link MAY_HOLD_MS} before the time in question
 */
export function doubtfulTimes(spans: readonly ProcessSpan[], intervalMs: number): CoverageGap[] {
  const listeners = groupBy(spans, ({ listener }) => listener);
  listeners.delete(undefined);
  return [...listeners.values()].flatMap((own) =>
    own
      .filter(({ ended }) => !ended)
      .map(({ until }) => {
        const last = until.getTime();
        const next = own.map(({ from }) => from.getTime()).filter((from) => from > last);
        return { from: last + intervalMs, until: Math.min(last + MAY_HOLD_MS, ...next) };
      })
      .filter((doubtful) => doubtful.until > doubtful.from),
  );
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
