import { SECOND, type Span } from './facts.js';

/** device-api records its coverage at least this often; a coverage span extends this long past its last record. */
export const BEAT = 10 * SECOND;

/** Our coverage gaps that reach beyond `from`, up to the last moment until which reports were accepted. */
export function coverageGaps(accepting: readonly Span[], from: number): Span[] {
  return accepting
    .slice(1)
    .map((next, index) => ({ from: accepting[index]!.to + BEAT, to: next.from }))
    .filter((gap) => gap.from < gap.to && gap.to > from);
}

/** The last moment up to `now` at which reports were accepted. */
export function acceptedUntil(accepting: readonly Span[], now: number): number {
  return Math.max(...accepting.filter(({ from }) => from <= now).map(({ to }) => Math.min(to + BEAT, now)));
}

/** For how long of `[from, to)` reports were accepted. */
export function coveredTime(accepting: readonly Span[], from: number, to: number): number {
  return accepting
    .map((span) => Math.min(span.to + BEAT, to) - Math.max(span.from, from))
    .filter((length) => length > 0)
    .reduce((sum, length) => sum + length, 0);
}

/** When a notifier next sends: at once, or at the second after one is started. */
export function whenNotified(at: number, notifying: readonly Span[]): number {
  if (notifying.some(({ from, to }) => from <= at && at < to)) return at;
  const next = notifying.find(({ from }) => from > at);
  return next ? Math.ceil(next.from / SECOND) * SECOND : Infinity;
}
