import { Problem } from '#platform';

/**
 * The range that a query asks for: up to now, and `defaultSpan` long, where it does not say.
 *
 * @throws Problem 400 `invalid_range`
 */
export function readRange(
  { from, to }: { from?: string; to?: string },
  now: Date,
  defaultSpan: number,
): { from: Date; to: Date } {
  // the end is exclusive, and what came in this very millisecond belongs to the history
  const end = to === undefined ? new Date(now.getTime() + 1) : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - defaultSpan) : new Date(from);
  if (start >= end) throw Problem.field('from', 'invalid_range', 'from must be before to');
  return { from: start, to: end };
}
