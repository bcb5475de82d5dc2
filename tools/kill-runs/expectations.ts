import { mongo } from 'mongoose';
import type { PersistentBottle } from '../harness/persistent-bottle.js';
import type { Content } from './journal.js';

/** The received notifications compared with the expected ones. */
export interface Comparison {
  expected: number;
  delivered: number;
  /** Expected and not received. */
  lost: Content[];
  /** Received under more ids than it may be. */
  duplicated: Content[];
  /** Received and not expected. */
  unexpected: Content[];
}

/** What may be received without being expected, and under how many ids. */
export type Allowed = ReadonlyMap<Content, number>;

/** @param received by content, the ids under which it was received */
export function compare(
  expected: ReadonlySet<Content>,
  received: ReadonlyMap<Content, ReadonlySet<string>>,
  allowed: Allowed = new Map(),
): Comparison {
  const lost = [...expected].filter((content) => !received.has(content));
  return {
    expected: expected.size,
    delivered: expected.size - lost.length,
    lost,
    duplicated: [...received]
      .filter(([content, { size }]) => size > Math.max(1, allowed.get(content) ?? 0))
      .map(([content]) => content),
    unexpected: [...received.keys()].filter((content) => !expected.has(content) && !allowed.has(content)),
  };
}

/** The notifications about silences that bottles did not mean, but had. */
export function allowedSilences(bottles: readonly PersistentBottle[], silentAfterMs: number): Allowed {
  const allowed = new Map<Content, number>();
  for (const bottle of bottles) {
    const silences = bottle.silences(silentAfterMs);
    if (silences > 0)
      for (const event of ['raised', 'resolved'])
        allowed.set(`${bottle.id} bottle_silent ${event}`, silences);
  }
  return allowed;
}

interface Alert {
  _id: mongo.ObjectId;
  bottle_id: mongo.ObjectId;
  kind: string;
  state: string;
}

/**
 * What is expected for bottles that were closed at about the moment at which their alert was due, which depends on what
 * came first. Whoever received the start of an alert must receive its end. An end alone may come where a notifier was
 * killed while it sent the start; the attempt is on record.
 */
export async function expectedWhenClosedInTime(
  db: mongo.Db,
  bottles: readonly string[],
  received: ReadonlyMap<Content, unknown>,
): Promise<{ expected: Content[]; allowed: Content[] }> {
  const ids = bottles.map((id) => new mongo.ObjectId(id));
  const alerts = await db
    .collection<Alert>('alerts')
    .find({ kind: 'bottle_open', bottle_id: { $in: ids } })
    .toArray();
  const cutOff = await db
    .collection('deliveries')
    .distinct('alert_id', { event: 'raised', attempts: { $elemMatch: { ok: false, status: null } } });
  const attempted = new Set(cutOff.map(String));
  const [expected, allowed]: [Content[], Content[]] = [[], []];
  for (const { _id, bottle_id, state } of alerts) {
    const of = `${String(bottle_id)} bottle_open`;
    if (received.has(`${of} raised`)) expected.push(`${of} raised`, `${of} ${state}`);
    else if (attempted.has(String(_id))) allowed.push(`${of} ${state}`);
  }
  return { expected, allowed };
}

/** Ends that were first received before the start of their alert. */
export function outOfOrder(received: ReadonlyMap<Content, unknown>): Content[] {
  const order = [...received.keys()];
  const placeOf = new Map(order.map((content, place) => [content, place]));
  return order.filter((content, place) => {
    const start = placeOf.get(content.replace(/ \w+$/, ' raised'));
    return start !== undefined && start > place;
  });
}

/** Expected starts of which the database has no alert. */
export async function notRaised(db: mongo.Db, expected: ReadonlySet<Content>): Promise<Content[]> {
  const alerts = await db.collection<Alert>('alerts').find().toArray();
  const raised = new Set(alerts.map(({ bottle_id, kind }) => `${String(bottle_id)} ${kind} raised`));
  return [...expected].filter((content) => content.endsWith(' raised') && !raised.has(content));
}

/** Alerts in the database without a cause, or that are there more often than they may be. */
export async function alertsWithoutCause(
  db: mongo.Db,
  expected: ReadonlySet<Content>,
  allowed: Allowed,
): Promise<Content[]> {
  const alerts = await db.collection<Alert>('alerts').find().toArray();
  const times = new Map<Content, number>();
  return alerts
    .map(({ bottle_id, kind }) => `${String(bottle_id)} ${kind} raised`)
    .filter((content) => {
      times.set(content, (times.get(content) ?? 0) + 1);
      return times.get(content)! > Math.max(expected.has(content) ? 1 : 0, allowed.get(content) ?? 0);
    });
}

/** How long the longest backoff of a delivery still takes; 0 when none has one. Milliseconds. */
export async function longestBackoff(db: mongo.Db): Promise<number> {
  const [found] = await db
    .collection('deliveries')
    .aggregate<{ wait: number | null }>([
      { $match: { next_attempt_at: { $exists: true }, 'attempts.0': { $exists: true } } },
      { $group: { _id: null, wait: { $max: { $subtract: ['$next_attempt_at', '$$NOW'] } } } },
    ])
    .toArray();
  return Math.max(0, found?.wait ?? 0);
}

/** Pending work of the notifiers, as `COLLECTION COUNT`; empty when there is none. */
export async function pendingWork(db: mongo.Db): Promise<string[]> {
  const pending: Record<string, mongo.Filter<mongo.Document>> = {
    deliveries: { next_attempt_at: { $exists: true } },
    alerts: { end_owed: { $exists: true } },
    bottle_states: {
      $or: [
        { open_claim: { $exists: true } },
        { silent_claim: { $exists: true } },
        // of an alert that stands it is when to check again whether a closing was lost
        { open_overdue_at: { $exists: true }, open_unchanged: null },
        { open_alerted: true, open_unchanged: null },
        { silent: true },
      ],
    },
  };
  const counts = await Promise.all(
    Object.entries(pending).map(async ([name, filter]) => ({
      name,
      count: await db.collection(name).countDocuments(filter),
    })),
  );
  return counts.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
}
