const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Waits between attempts: quick at first, for a receiver that is being restarted, then patient, so that one that
 * is down for a day is asked ten times and no more (alertmanager#2286).
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

/** How often a message is tried before it is dead. */
export const MAX_ATTEMPTS = WAITS.length + 1;

/**
 * How long to wait after so many failed attempts, with jitter of up to a fifth either way.
 *
 * @param random from 0 to 1.
 * @returns milliseconds; undefined when that was the last attempt.
 */
export function waitAfter(failedAttempts: number, random: number): number | undefined {
  const wait = WAITS[failedAttempts - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 - JITTER + 2 * JITTER * random));
}
