import { Problem, type RateLimit } from '#platform';
import type { Caller } from './token-directory.js';

/**
 * Counts one request of a caller, within this process.
 *
 * @param limit undefined for none.
 * @param now epoch milliseconds.
 * @throws Problem 429 with Retry-After when there were too many.
 */
export function countRequest(caller: Caller<unknown>, limit: RateLimit | undefined, now: number): void {
  if (!limit) return;
  if (caller.windowEnds <= now) {
    caller.windowEnds = now + limit.seconds * 1_000;
    caller.requests = 0;
  }
  caller.requests += 1;
  if (caller.requests <= limit.times) return;
  const seconds = Math.max(1, Math.ceil((caller.windowEnds - now) / 1_000));
  throw new Problem(429, 'rate_limited', 'Too many requests.', undefined, seconds);
}
