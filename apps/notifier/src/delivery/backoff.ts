const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Backoff between attempts: short at first, for a receiver that restarts, then long, so that one that is down for a day
 * gets ten attempts and no more (alertmanager#2286).
 */
const WAITS = [
  2 * SECOND,
  15 * SECOND,
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

const JITTER = 0.2;

/** After this many failed attempts a notification is dead. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/**
 * The backoff after a number of failed attempts, with jitter of up to a fifth either way.
 *
 * @param random from 0 to 1.
 * @returns milliseconds; undefined when that was the last attempt.
 */
export function waitAfter(failedAttempts: number, random: number): number | undefined {
  const wait = WAITS[failedAttempts - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
