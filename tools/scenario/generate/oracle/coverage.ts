import { SECOND, type Span } from './facts.js';

/** device-api records its coverage at least this often; a coverage span extends this long past its last record. */
export const BEAT = 10 * SECOND;

/** For how long of `[from, to)` reports were accepted. */
export function coveredTime(accepting: readonly Span[], from: number, to: number): number {
  return accepting
    .map((span) => Math.min(span.to + BEAT, to) - Math.max(span.from, from))
    .filter((length) => length > 0)
    .reduce((sum, length) => sum + length, 0);
}
