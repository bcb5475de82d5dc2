import { parseSchedule, HOUR_MS } from '#domain';
import { mongo } from 'mongoose';
import { bigFleet, bigFleetId } from '../fixtures/big-fleet.js';
import { makeIndexes, registerSome } from '../fixtures/fleet-database.js';
import type { BenchHarness } from '../harness.js';
import { PILLS } from '../load/doses.js';
import { type Dose, MINUTE, WINDOWS } from './breakfast.js';

const GROUP = 5_000;
/** About so long it takes to make a bottle: the fleet has reported when it is there, not when it was begun. */
const MADE_IN_MS = 0.1;

/** A database with a large fleet, of which nobody has a plan yet. */
export async function largeFleet(harness: BenchHarness, bottles: number): Promise<mongo.Db> {
  const db = harness.newDatabase('whole_morning');
  await makeIndexes(harness, db);
  // filled first, and then indexed: much sooner than both at once
  await db.collection('bottle_states').dropIndexes();
  await bigFleet(db, bottles, new Date(Date.now() + bottles * MADE_IN_MS));
  return db;
}

/** The n-th bottle of those that have breakfast: they lie all over the fleet. */
export const idOf = (n: number, step: number): string => bigFleetId(n * step);

/**
 * Registers those that have breakfast, every so many-th of the fleet, each with its dose of this morning, one a day. All have reported just now, and the notifiers are to find out when to look at them next.
 *
 * @param eight milliseconds
 */
export async function planBreakfast(
  db: mongo.Db,
  doses: readonly Dose[],
  step: number,
  eight: number,
): Promise<void> {
  const now = new Date();
  const registered_at = new Date(now.getTime() - HOUR_MS);
  await registerSome(db, doses.length, step, (n) => {
    const anchor = new Date(eight + doses[n]!.due * MINUTE).toISOString();
    const schedule = parseSchedule({ kind: 'interval', every: '24h', anchor, ...WINDOWS });
    const version = { effective_from: registered_at, time_zone: 'UTC', schedule };
    return { registered_at, time_zone: 'UTC', initial_pills: PILLS, schedule_versions: [version] };
  });
  const until = new Date(now.getTime() + HOUR_MS);
  for (let from = 0; from < doses.length; from += GROUP) {
    const ids = Array.from({ length: Math.min(GROUP, doses.length - from) }, (_, index) =>
      idOf(from + index, step),
    );
    await db
      .collection<{ _id: mongo.ObjectId }>('bottle_states')
      .updateMany(
        { _id: { $in: ids.map((id) => new mongo.ObjectId(id)) } },
        { $set: { last_heard_at: now, silent_at: until, dose_due_at: now } },
      );
  }
  await db.collection('listening_spans').insertOne({ from: registered_at, until });
}
