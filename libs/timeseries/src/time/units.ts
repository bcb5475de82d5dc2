import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain';

/** A span of UTC whose documents or collections hold samples together. */
export type Span = 'minute' | 'hour' | 'day' | 'month' | 'year';

const FIXED: Partial<Record<Span, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** The start of the span that holds an instant (UTC). */
export function startOf(span: Span, at: Date): Date {
  const length = FIXED[span];
  if (length !== undefined) return floor(at, length);
  return new Date(Date.UTC(at.getUTCFullYear(), span === 'month' ? at.getUTCMonth() : 0));
}

/** The start of the next span (UTC). */
export function endOf(span: Span, at: Date): Date {
  const start = startOf(span, at);
  const length = FIXED[span];
  if (length !== undefined) return new Date(start.getTime() + length);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  return new Date(span === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year + 1, 0));
}

/** The starts of all spans that have a part in [from, to), in order. */
export function spansBetween(span: Span, from: Date, to: Date): Date[] {
  const starts: Date[] = [];
  for (let start = startOf(span, from); start < to; start = endOf(span, start)) starts.push(start);
  return starts;
}

/** The last whole multiple of `length` milliseconds since 1970. */
export function floor(at: Date, length: number): Date {
  return new Date(Math.floor(at.getTime() / length) * length);
}
