import { coverageGaps, type TimeSpan } from './coverage.js';

/** The parts of the service whose absence is a coverage gap: no reports are accepted, or no checks run. */
export const COVERAGE_PARTS = ['device-api', 'notifier'] as const;
export type CoveragePart = (typeof COVERAGE_PARTS)[number];

/** A coverage gap that is longer than allowed: from its beginning, included, to its end. */
export interface LongGap {
  from: Date;
  /** Absent while it lasts. */
  until?: Date;
}

/**
 * The gaps between spans of one part that are longer than `longerThanMs` (excluded), in order. Nothing is known of the
 * time before the first span.
 *
 * @param intervalMs the interval of the beats; see `coverageInterval`
 */
export function longGaps(
  spans: readonly TimeSpan[],
  now: Date,
  { intervalMs, longerThanMs }: { intervalMs: number; longerThanMs: number },
): LongGap[] {
  if (spans.length === 0) return [];
  const first = new Date(Math.min(...spans.map(({ from }) => from.getTime())));
  return coverageGaps(spans, first, now, intervalMs)
    .filter(({ from, until }) => until - from > longerThanMs)
    .map(({ from, until }) => ({
      from: new Date(from),
      ...(spans.some((span) => span.from.getTime() >= until) && { until: new Date(until) }),
    }));
}

/**
 * When a gap that began at `from` ended, however short that makes it: at `from` itself if a beat from then was recorded
 * late. Undefined while it lasts.
 *
 * @param spans all that reach beyond `from`
 * @param intervalMs the interval of the beats; see `coverageInterval`
 */
export function endOfGap(
  spans: readonly TimeSpan[],
  from: Date,
  now: Date,
  intervalMs: number,
): Date | undefined {
  const [gap] = coverageGaps(spans, from, now, intervalMs);
  if (gap?.from !== from.getTime()) return from;
  return spans.some((span) => span.from.getTime() >= gap.until) ? new Date(gap.until) : undefined;
}
