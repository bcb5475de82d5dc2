import type { Alert } from '../alerts/alert.js';
import type { Id } from '../bottle-state/bottle-state.js';
import { MINUTE_MS } from '../time/durations.js';
import type { Delivery, DeliveryResult } from './delivery.js';
import { summaryFields } from './one-message.js';
import { isSameAddress } from './recipients.js';

/** How long a summary waits at least for further doses. Milliseconds. */
const GATHERING_MS = 30_000;
/** How long a summary waits at most: a bottle that cannot be judged keeps nobody from what is known. Milliseconds. */
const LONGEST_MS = 2 * 60 * MINUTE_MS;
/** What a coverage gap left unconfirmed is sent within this time after all of it is found. Milliseconds. */
export const SETTLED_LATELY_MS = 120_000;
/** How often what waits for a backlog is checked again. Milliseconds. */
const RETRY_MS = 60_000;

/** When a summary is sent: at the full minute that leaves {@link GATHERING_MS} to find the others that belong to it. */
export function gatheredAt(now: Date): Date {
  return new Date(Math.ceil((now.getTime() + GATHERING_MS) / MINUTE_MS) * MINUTE_MS);
}

/** The first full minute after a moment: what waits for one thing is sent at one time. */
function nextFullMinute(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS);
}

/** The event whose notifications wait for other doses. */
export const GATHERED_EVENT = 'summary';

/** Whether it waits for other doses that belong to it. */
export function isGathered({ event, attempts, created_at }: Delivery, now: Date): boolean {
  return (
    event === GATHERED_EVENT &&
    // after an attempt it is repeated as it was
    attempts.length === 0 &&
    now.getTime() - created_at.getTime() < LONGEST_MS
  );
}

/** From when on doses are looked for that belong to a summary: bottles judged since, and parts queued since. */
export function gatheringSince(now: Date): { judged: Date; queued: Date } {
  return {
    judged: new Date(now.getTime() - GATHERING_MS),
    queued: new Date(now.getTime() - MINUTE_MS - GATHERING_MS),
  };
}

/** For which doses summaries may wait. */
export interface Gathering {
  /** The bottles of their users that are not judged yet, or were judged a moment ago. */
  bottles: readonly { _id: Id; user_id: string; isDue: boolean }[];
  /** The parts about these bottles that were queued a moment ago and are not due yet. */
  queued: readonly Delivery[];
}

/** Until when a `summary` waits for other doses that belong to it; undefined if for none. */
function gatheredUntil(
  delivery: Delivery,
  { user_id }: Pick<Alert, 'user_id'>,
  { bottles, queued }: Gathering,
  now: Date,
): Date | undefined {
  if (!isGathered(delivery, now)) return undefined;
  const { bottle_id } = summaryFields(delivery);
  const isOfIt = (bottle: Id): boolean => bottle.toHexString() === bottle_id?.toHexString();
  const isDue = bottles.some(
    (bottle) => bottle.isDue && (bottle_id ? isOfIt(bottle._id) : bottle.user_id === user_id),
  );
  if (isDue) return nextFullMinute(now);
  const others = queued
    .filter(isSameAddress(delivery))
    .filter((other) => bottle_id === undefined || isOfIt(other.bottle_id));
  return others.length === 0
    ? undefined
    : new Date(Math.max(...others.map(({ next_attempt_at }) => next_attempt_at!.getTime())));
}

/** A summary waits for the doses that belong to it, however long a notifier takes to judge the fleet. */
export function whileSummarizing(
  delivery: Delivery,
  alert: Alert,
  gathering: Gathering,
  now: Date,
): DeliveryResult | undefined {
  const until = gatheredUntil(delivery, alert, gathering, now);
  return until && { kind: 'postponed', next_attempt_at: until, reason: 'other doses are being found' };
}

/** A coverage gap whose doses may still be settled, or were a moment ago. */
export interface UnsettledGap {
  from: Date;
  /** Absent while it lasts. */
  until?: Date;
  /** When all doses that it left unconfirmed had been found. */
  settled_at?: Date;
}

/** Of a dose in a coverage gap everyone is notified at once, when its grace is over. */
export function inOpenGap(
  { event }: Delivery,
  alert: Alert,
  gaps: readonly UnsettledGap[],
  now: Date,
): DeliveryResult | undefined {
  if (event !== 'unknown' || alert.kind !== 'missed_dose') return undefined;
  const { scheduled_at: due, missed_at: ended } = alert.evidence;
  const isIn = ({ from, until = now, settled_at }: UnsettledGap): boolean =>
    !settled_at && due < until && ended >= from;
  if (!gaps.some(isIn)) return undefined;
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + RETRY_MS),
    reason: 'a backlog may settle the dose',
  };
}

/**
 * What one recipient is owed of the doses of a coverage gap is one message, however long a notifier takes to find them
 * in the fleet: it waits until all are found.
 */
export function whileGathering(
  { event }: Delivery,
  alert: Alert,
  gaps: readonly UnsettledGap[],
  now: Date,
): DeliveryResult | undefined {
  if (event !== 'unconfirmed' || alert.kind !== 'coverage_gap') return undefined;
  const began = alert.evidence.from.getTime();
  const gap = gaps.find(({ from }) => from.getTime() === began);
  if (!gap) return undefined;
  const next_attempt_at = gap.settled_at ? gatheredAt(gap.settled_at) : nextFullMinute(now);
  if (next_attempt_at <= now) return undefined;
  return { kind: 'postponed', next_attempt_at, reason: 'other doses of the coverage gap are being found' };
}
