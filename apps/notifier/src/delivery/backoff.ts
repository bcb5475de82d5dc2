import type { Attempt, Delivery } from '#persistence';

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

/** A notification that waits at least so long is sent earlier if its receiver answers again. */
const LONG_WAIT = 30 * SECOND;
/** How often a notification is sent early; its other attempts follow the backoff, so that ten last for a day. */
const MAX_EARLY = 3;
/** After an early attempt that failed, how long it is not sent early again. */
const EARLY_PAUSE = 60 * SECOND;
/** HTTP: too many requests. SMTP: service not available. */
const UNAVAILABLE = new Set([429, 421]);

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

/**
 * From when on a notification is sent as soon as its receiver answers again; undefined if it waits for its backoff, as
 * when this message alone was refused.
 *
 * @param wait its backoff, milliseconds
 */
export function earlyFrom(
  { retried_early = 0 }: Pick<Delivery, 'retried_early'>,
  { at, status }: Pick<Attempt, 'at' | 'status'>,
  wait: number,
): Date | undefined {
  if (wait < LONG_WAIT || retried_early >= MAX_EARLY || !isUnavailable(status)) return undefined;
  return new Date(at.getTime() + (retried_early === 0 ? 0 : EARLY_PAUSE));
}

/** No answer, or one that says that the receiver takes nothing at the moment. */
function isUnavailable(status: number | undefined): boolean {
  return status === undefined || status >= 500 || UNAVAILABLE.has(status);
}
