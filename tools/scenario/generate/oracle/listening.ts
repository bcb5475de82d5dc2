import { SECOND, type Stretch } from './facts.js';

/** device-api says at least this often that it listens; so long it is believed after its last word. */
export const BEAT = 10 * SECOND;

/** For how long of `[from, to)` reports were taken. */
export function listenedFor(listening: readonly Stretch[], from: number, to: number): number {
  return listening
    .map((stretch) => Math.min(stretch.to + BEAT, to) - Math.max(stretch.from, from))
    .filter((length) => length > 0)
    .reduce((sum, length) => sum + length, 0);
}
