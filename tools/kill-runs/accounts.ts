import { mongo } from 'mongoose';
import type { Said } from './journal.js';

/** What was heard held against what was owed. */
export interface Accounts {
  owed: number;
  delivered: number;
  /** Owed and not heard. */
  lost: Said[];
  /** Heard under more than one id. */
  doubled: Said[];
  /** Heard and not owed. */
  notOwed: Said[];
}

/**
 * @param heard by what was said, the ids under which it was.
 * @param allowed what may be heard without being owed.
 */
export function balance(
  owed: ReadonlySet<Said>,
  heard: ReadonlyMap<Said, ReadonlySet<string>>,
  allowed: ReadonlySet<Said> = new Set(),
): Accounts {
  const lost = [...owed].filter((said) => !heard.has(said));
  return {
    owed: owed.size,
    delivered: owed.size - lost.length,
    lost,
    doubled: [...heard].filter(([, ids]) => ids.size > 1).map(([said]) => said),
    notOwed: [...heard.keys()].filter((said) => !owed.has(said) && !allowed.has(said)),
  };
}

interface Alert {
  _id: mongo.ObjectId;
  bottle_id: mongo.ObjectId;
  kind: string;
  state: string;
}

/**
 * What is owed for bottles that were closed at about the moment at which their being open was to be told: that
 * depends on who was first. Whoever heard the beginning is owed the end. An end alone may come where a notifier was
 * killed in the middle of telling the beginning; the attempt is on record.
 */
export async function owedInAHurry(
  db: mongo.Db,
  bottles: readonly string[],
  heard: ReadonlyMap<Said, unknown>,
): Promise<{ owed: Said[]; allowed: Said[] }> {
  const ids = bottles.map((id) => new mongo.ObjectId(id));
  const alerts = await db
    .collection<Alert>('alerts')
    .find({ bottle_id: { $in: ids } })
    .toArray();
  const cutOff = await db
    .collection('deliveries')
    .distinct('alert_id', { event: 'raised', attempts: { $elemMatch: { ok: false, status: null } } });
  const attempted = new Set(cutOff.map(String));
  const [owed, allowed]: [Said[], Said[]] = [[], []];
  for (const { _id, bottle_id, kind, state } of alerts) {
    const of = `${String(bottle_id)} ${kind}`;
    if (heard.has(`${of} raised`)) owed.push(`${of} raised`, `${of} ${state}`);
    else if (attempted.has(String(_id))) allowed.push(`${of} ${state}`);
  }
  return { owed, allowed };
}

/** Alerts of the database for which nothing happened: neither owed nor of a bottle closed in a hurry; or twice there. */
export async function strayAlerts(
  db: mongo.Db,
  owed: ReadonlySet<Said>,
  hurried: readonly string[],
): Promise<Said[]> {
  const alerts = await db.collection<Alert>('alerts').find().toArray();
  const raised = alerts.map(({ bottle_id, kind }) => `${String(bottle_id)} ${kind} raised`);
  const known = new Set([...owed, ...hurried.map((id) => `${id} bottle_open raised`)]);
  return raised.filter((said, index) => !known.has(said) || raised.indexOf(said) !== index);
}

/** What the notifiers have still to do, as `COLLECTION COUNT`; nothing when all is settled. */
export async function stillToDo(db: mongo.Db): Promise<string[]> {
  const todo: Record<string, mongo.Filter<mongo.Document>> = {
    deliveries: { next_attempt_at: { $exists: true } },
    alerts: { end_owed: { $exists: true } },
    bottle_states: {
      $or: [
        { open_claim: { $exists: true } },
        { silent_claim: { $exists: true } },
        { open_overdue_at: { $exists: true } },
        { open_alerted: true, open_unchanged: null },
        { silent: true },
      ],
    },
  };
  const counts = await Promise.all(
    Object.entries(todo).map(async ([name, filter]) => ({
      name,
      count: await db.collection(name).countDocuments(filter),
    })),
  );
  return counts.filter(({ count }) => count > 0).map(({ name, count }) => `${name} ${count}`);
}
