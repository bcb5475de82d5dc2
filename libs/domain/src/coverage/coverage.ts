/** A span of time, both ends in it. */
export interface Span {
  from: Date;
  until: Date;
}

/**
 * For how long of [from, to] we were listening: the length of the union of the spans within it.
 *
 * @param beatMs how often a span's end is moved on: a listener is taken to have lasted until its next beat.
 * @returns milliseconds.
 */
export function coveredTime(spans: readonly Span[], from: Date, to: Date, beatMs = 0): number {
  const clipped = spans
    .map(
      (span) =>
        [
          Math.max(span.from.getTime(), from.getTime()),
          Math.min(span.until.getTime() + beatMs, to.getTime()),
        ] as const,
    )
    .filter(([start, end]) => end > start)
    .sort(([one], [other]) => one - other);
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [start, end] of clipped) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}

/** How often device-api notes that it listens: several times within a silence, at least every 10 s. Milliseconds. */
export function coverageInterval(silentAfterMs: number): number {
  return Math.min(10_000, Math.ceil(silentAfterMs / 12));
}
