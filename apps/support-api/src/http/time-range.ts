import { Problem } from '#platform';

/**
 * The range of a query. It ends now and is `defaultSpan` long (milliseconds) unless the query says otherwise.
 *
 * @throws Problem 400 `invalid_range`
 */
export function readRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
  defaultSpan: number,
): { from: Date; to: Date } {
  // the end is exclusive; reports of the current millisecond are included
  const end = to === undefined ? new Date(now.getTime() + 1) : new Date(to);
  const start = from === undefined ? new Date(end.getTime() - defaultSpan) : new Date(from);
  if (start >= end) throw Problem.field('from', 'invalid_range', 'from must be before to');
  return { from: start, to: end };
}

/** The bounds of a list, each if the query has it. */
export const boundsOf = ({
  from,
  to,
}: {
  from?: string | undefined;
  to?: string | undefined;
}): { from?: Date; to?: Date } => ({
  ...(from && { from: new Date(from) }),
  ...(to && { to: new Date(to) }),
});
