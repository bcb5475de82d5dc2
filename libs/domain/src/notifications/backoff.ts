import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/durations.js';
import type { Attempt, Delivery, DeliveryResult } from './delivery.js';

/**
 * Backoff between attempts: short at first, for a receiver that restarts, then long, so that one that is down for a day
 * gets ten attempts and no more (alertmanager#2286).
 */
const WAITS = [
  2 * SECOND_MS,
  15 * SECOND_MS,
  1 * MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
];

const JITTER = 0.2;

/** A notification that waits at least so long is sent earlier if its receiver answers again. */
const LONG_WAIT = 30 * SECOND_MS;
/** How often a notification whose attempts may have arrived is sent early. */
const MAX_EARLY_UNKNOWN = 3;
/** How long a notification is not sent early after its first early attempt failed; twice as long after each further one. */
const FIRST_PAUSE = MINUTE_MS;
const LONGEST_PAUSE = 15 * MINUTE_MS;
/** A receiver that asks for more waits so long: what is due is not put off for a day. */
const LONGEST_ASKED = HOUR_MS;
/** HTTP: too many requests. SMTP: service not available. */
const UNAVAILABLE = new Set([429, 421]);

/** After this many failed attempts by the backoff a notification is dead. */
export const MAX_ATTEMPTS = WAITS.length + 1;
const ALL_FAILED = `${MAX_ATTEMPTS} attempts failed`;

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

type Past = Pick<Attempt, 'at' | 'address' | 'status' | 'unsent' | 'early'>;

/** The attempts at the address of the last one: those at another address were of a receiver that is asked no more. */
function atLastAddress(attempts: readonly Past[]): readonly Past[] {
  const last = attempts.at(-1)?.address;
  // one that has just begun, or is over a channel without addresses
  if (last === undefined) return attempts;
  return attempts.slice(attempts.findLastIndex(({ address = last }) => address !== last) + 1);
}

/** How many attempts followed the backoff. */
function regularAttempts(attempts: readonly Past[]): number {
  return attempts.filter(({ early }) => !early).length;
}

/**
 * When the backoff has it sent again after its last attempt; undefined when that was the last one. Early attempts neither
 * advance the backoff nor delay it.
 *
 * @param random from 0 to 1.
 */
export function nextAttemptAt(attempts: readonly Past[], random: number): Date | undefined {
  const last = attempts.at(-1)!;
  const regular = attempts.findLast(({ early }) => !early) ?? last;
  const wait = waitAfter(Math.max(1, regularAttempts(attempts)), random);
  if (wait === undefined) return undefined;
  return new Date(Math.max(regular.at.getTime() + wait, last.at.getTime() + WAITS[0]!));
}

/**
 * From when on a notification is sent as soon as its receiver answers again; undefined if it waits for its backoff, as
 * when this message alone was refused.
 *
 * @param next when its backoff is over
 */
export function earlyFrom(attempts: readonly Past[], next: Date): Date | undefined {
  const last = attempts.at(-1)!;
  if (next.getTime() - last.at.getTime() < LONG_WAIT || !isUnavailable(last.status)) return undefined;
  const early = attempts.filter((attempt) => attempt.early);
  // else a receiver that accepts and never answers would get it again and again
  if (isUnknown(last) && early.filter(isUnknown).length >= MAX_EARLY_UNKNOWN) return undefined;
  const pause = early.length === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (early.length - 1));
  return new Date(last.at.getTime() + pause);
}

/** Whether an attempt that failed may have arrived. */
function isUnknown({ status, unsent }: Past): boolean {
  return status === undefined && !unsent;
}

/** No answer, or one that says that the receiver takes nothing at the moment. */
function isUnavailable(status: number | undefined): boolean {
  return status === undefined || status >= 500 || UNAVAILABLE.has(status);
}

/**
 * What follows a failed attempt: the next one by the backoff, or none.
 *
 * @param permanent trying again cannot help.
 * @param random from 0 to 1; the same for notifications that are sent as one message, so that they are retried as one.
 * @param askedMs how long the receiver asks to wait.
 */
export function afterFailure(
  { attempts: before, early }: Pick<Delivery, 'attempts' | 'early'>,
  failed: Attempt,
  permanent: boolean,
  random: number,
  askedMs = 0,
): DeliveryResult {
  const attempt: Attempt = { ...failed, ...(early && { early }) };
  const attempts = atLastAddress([...before, attempt]);
  const backoff = permanent ? undefined : nextAttemptAt(attempts, random);
  if (backoff) {
    const asked = failed.at.getTime() + Math.min(askedMs, LONGEST_ASKED);
    const next_attempt_at = new Date(Math.max(backoff.getTime(), asked));
    // whoever says when is not tried earlier
    const retry_early_from = askedMs > 0 ? undefined : earlyFrom(attempts, next_attempt_at);
    return { kind: 'retry', attempt, next_attempt_at, ...(retry_early_from && { retry_early_from }) };
  }
  return { kind: 'dead', attempt, reason: permanent ? attempt.error! : ALL_FAILED };
}

/**
 * What follows when an address refuses what is for a person: it is looked at again at once, and goes to whom that person's
 * messages go now.
 */
export function afterRefusal({ early }: Pick<Delivery, 'early'>, failed: Attempt, now: Date): DeliveryResult {
  return { kind: 'refused', attempt: { ...failed, ...(early && { early }) }, at: now };
}

/** The last attempt had no result: nothing is left to try. */
export function exhausted({ attempts }: Pick<Delivery, 'attempts'>): DeliveryResult | undefined {
  return regularAttempts(atLastAddress(attempts)) < MAX_ATTEMPTS
    ? undefined
    : { kind: 'dead', reason: ALL_FAILED };
}

/** When an attempt that begins is followed by the next if its notifier is killed: after the lease, and not before its backoff. */
export function retryWithoutResult(
  { attempts, early }: Pick<Delivery, 'attempts' | 'early'>,
  lease: { until: Date },
  at: Date,
): Date {
  const next = nextAttemptAt([...atLastAddress(attempts), { at, ...(early && { early }) }], 0.5) ?? at;
  return new Date(Math.max(lease.until.getTime(), next.getTime()));
}
