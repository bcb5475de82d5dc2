import { now } from '../../time/clock.js';
import { DAY_MS, HOUR_MS } from '../../time/durations.js';

/** The spans that charts can show. Milliseconds. */
export const SPANS = {
  '1 h': HOUR_MS,
  '24 h': DAY_MS,
  '7 days': 7 * DAY_MS,
  '30 days': 30 * DAY_MS,
  '1 year': 365 * DAY_MS,
  All: Number.POSITIVE_INFINITY,
} as const;
export type SpanName = keyof typeof SPANS;

/** A span that ends now, or a fixed range after zooming. Epoch milliseconds. */
export type Range = { span: SpanName } | { from: number; to: number };

/**
 * The range as query parameters of the API.
 *
 * @param beginning the earliest instant with data, for `All`.
 */
export function rangeQuery(range: Range, beginning: string): { from: string; to?: string } {
  if (!('span' in range)) {
    return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
  }
  const span = SPANS[range.span];
  const from = Number.isFinite(span) ? Math.max(now() - span, Date.parse(beginning)) : Date.parse(beginning);
  return { from: new Date(from).toISOString() };
}

/** What the axis shows: the whole range that was chosen. Epoch seconds. @param begins of `All` */
export function axisOf(range: Range, begins: number): [from: number, to: number] {
  if (!('span' in range)) return [range.from / 1_000, range.to / 1_000];
  const span = SPANS[range.span];
  const to = now() / 1_000;
  return [Number.isFinite(span) ? to - span / 1_000 : Math.min(begins, to - 1), to];
}
