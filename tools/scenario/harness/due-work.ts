import { type DeadlineName, DEADLINES } from '#domain';
import type { mongo } from 'mongoose';
import type { JobName } from './notifier.js';

/** When each job has work at the earliest; absent when it has none. */
export type Deadlines = Partial<Record<JobName, Date>>;

export interface DueWork {
  deadlines: Deadlines;
  /** Ids of the bottles whose next heartbeat gives a check work. */
  awaited: ReadonlySet<string>;
}

/** How often the receiver of what waits is asked. Milliseconds. */
const ASKED_EVERY_MS = 30_000;
const ONCE = new Date(0);
const isArmed = (field: string): object => ({ $gt: [field, ONCE] });
const whether = (...conditions: object[]): object => ({
  $max: { $and: conditions.map((condition) => ({ $cond: [condition, true, false] })) },
});
const absent = (field: string): object => ({ $lte: [field, null] });

/**
 * Reads the armed deadlines and the markers that the checks look for (see libs/persistence, DeadlinesRepository), so
 * that not every check has to run at every tick.
 *
 * @param answering the channels whose receivers answer when they are asked
 */
export async function findDueWork(db: mongo.Db, now: Date, answering: readonly string[]): Promise<DueWork> {
  const [found] = await db
    .collection('bottle_states')
    .aggregate([
      {
        $group: {
          _id: null,
          ...Object.fromEntries(
            Object.entries(DEADLINES).map(([name, { deadline }]) => [name, { $min: `$${deadline}` }]),
          ),
          heard_again: whether({ $eq: ['$silent', true] }, isArmed('$silent_at')),
          open_changed: whether({ $eq: ['$open_alerted', true] }, absent('$open_unchanged')),
          doses_heard: whether({ $eq: ['$dose_waiting', true] }, absent('$unheard')),
          awaited: { $push: { $cond: [{ $or: ['$silent', '$dose_waiting'] }, '$_id', '$$REMOVE'] } },
        },
      },
      { $unionWith: { coll: 'deliveries', pipeline: earliest('next_attempt_at') } },
      { $unionWith: { coll: 'deliveries', pipeline: whenAsked(now, answering) } },
      { $unionWith: { coll: 'alerts', pipeline: earliest('next_step_at', { clears_at: null }) } },
      { $unionWith: { coll: 'alerts', pipeline: earliest('clears_at') } },
      { $unionWith: { coll: 'alerts', pipeline: anyWith('end_owed') } },
      {
        $group: {
          _id: null,
          ...Object.fromEntries(
            [...Object.keys(DEADLINES), 'deliver'].map((field) => [field, { $min: `$${field}` }]),
          ),
          ...Object.fromEntries(
            ['heard_again', 'open_changed', 'doses_heard', 'awaited'].map((field) => [
              field,
              { $max: `$${field}` },
            ]),
          ),
        },
      },
    ])
    .toArray();
  const wakes: Partial<Record<DeadlineName, unknown>> = {
    silent: found?.['heard_again'],
    open: found?.['open_changed'],
    dose: found?.['doses_heard'],
  };
  const checks = Object.keys(DEADLINES) as DeadlineName[];
  const deadlines: Deadlines = Object.assign(
    dueAt('deliver', found?.['deliver']),
    ...checks.map((name) => dueAt(name, wakes[name] ? ONCE : found?.[name])),
  );
  const awaited = ((found?.['awaited'] ?? []) as { toHexString(): string }[]).map((id) => id.toHexString());
  return { deadlines, awaited: new Set(awaited) };
}

function earliest(field: string, filter: object = {}): object[] {
  return [
    { $match: { [field]: { $exists: true }, ...filter } },
    { $group: { _id: null, deliver: { $min: `$${field}` } } },
  ];
}

/** The next half minute from which on a notification is sent early: a notifier asks its receiver then (MSG-17). */
function whenAsked(now: Date, answering: readonly string[]): object[] {
  const next = new Date((Math.floor(now.getTime() / ASKED_EVERY_MS) + 1) * ASKED_EVERY_MS);
  return [
    { $match: { channel: { $in: answering }, retry_early_from: { $exists: true } } },
    { $group: { _id: null, deliver: { $min: { $max: ['$retry_early_from', next] } } } },
  ];
}

function anyWith(field: string): object[] {
  return [{ $match: { [field]: { $exists: true } } }, { $limit: 1 }, { $project: { deliver: ONCE } }];
}

function dueAt(job: JobName, at: Date | null | undefined): Deadlines {
  return at ? { [job]: at } : {};
}
