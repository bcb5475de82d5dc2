import type { Random } from '../../random.js';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/**
 * How long a device waits before it sends again. What the server asks for is kept to and spread over half as
 * much again, so that a fleet does not come back in one moment; else it doubles from half a second to 30 s.
 *
 * @param attempt failures in a row, from 1
 * @param retryAfterMs what the server asked for, if it did
 * @returns milliseconds of real time
 */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, random: Random): number {
  if (retryAfterMs !== undefined) return retryAfterMs + random.between(0, retryAfterMs / 2);
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return random.between(longest / 2, longest);
}

/** Reads the header Retry-After, seconds or an HTTP date (RFC 9110); undefined when it is neither. Milliseconds. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** Whether the same request may succeed later: the server is overloaded, or is not there just now. */
export function mayRetry(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
