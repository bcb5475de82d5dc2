import { BottleStateSchema } from '#persistence';
import { mongo, type Schema } from 'mongoose';

/** A tenth of the lab's: what one machine should hold. */
export const LARGE_FLEET = 3_000_000;

const THOUSAND = 1_000;
const MINUTE_MS = 60_000;
export const MEDICATIONS = [
  'Cordrazine',
  'Metformin',
  'Lisinopril',
  'Atorvastatin',
  'Levothyroxine',
  'Amlodipine',
];

/**
 * Fills `bottle_states` with a fleet that is well: each was heard within the last half hour and has a dose due
 * within a day.
 */
export function bigFleet(db: mongo.Db, bottles: number, now: Date): Promise<void> {
  const half = 30 * MINUTE_MS;
  const heard = { $subtract: [now, { $mod: [{ $multiply: ['$n', 7_919] }, half] }] };
  return madeInDatabase(db, 'bottle_states', bottles, BottleStateSchema, {
    last_heard_at: heard,
    silent_at: { $add: [heard, 60 * MINUTE_MS] },
    dose_due_at: {
      $add: [now, { $mod: [{ $multiply: ['$n', 104_729] }, 24 * 60 * MINUTE_MS] }, 60_000],
    },
  });
}

/**
 * One document a bottle, made by the database itself, as millions of documents are slow to send. Then the indexes.
 *
 * @param fields beside id, owner and medication: expressions, in which `$n` is the bottle's number
 */
export async function madeInDatabase(
  db: mongo.Db,
  collection: string,
  bottles: number,
  schema: Schema,
  fields: Record<string, unknown>,
): Promise<void> {
  await db
    .aggregate(
      [
        { $documents: Array.from({ length: bottles / THOUSAND }, (_, thousand) => ({ thousand })) },
        { $set: { one: { $range: [0, THOUSAND] } } },
        { $unwind: '$one' },
        { $project: { n: { $add: [{ $multiply: ['$thousand', THOUSAND] }, '$one'] } } },
        {
          $project: {
            _id: idOf('$n'),
            user_id: { $concat: ['willcross', { $toString: { $floor: { $divide: ['$n', 3] } } }] },
            medication: { $arrayElemAt: [MEDICATIONS, { $mod: ['$n', MEDICATIONS.length] }] },
            ...fields,
          },
        },
        { $out: collection },
      ],
      { allowDiskUse: true },
    )
    .toArray();
  await db.collection(collection).createIndexes(
    schema.indexes().map(([key, { background: _background, ...options }]) => ({
      key,
      ...options,
    })) as never,
  );
}

/** The n-th bottle's id: an ObjectId from 0, 1, 2, … that lies anywhere in the index. */
function idOf(n: string): object {
  // a multiplication by a prime modulo a power of ten shuffles, and no number comes twice
  const shuffled = { $mod: [{ $multiply: [n, 7_654_321] }, 10_000_000_000] };
  const digits = { $concat: ['0'.repeat(24), { $toString: { $toLong: shuffled } }] };
  return {
    $toObjectId: { $substrCP: [digits, { $subtract: [{ $strLenCP: digits }, 24] }, 24] },
  };
}

/** The owner of the n-th bottle. */
export const bigFleetOwner = (n: number): string => `willcross${Math.floor(n / 3)}`;

/** The same id, for who sends. */
export function bigFleetId(n: number): string {
  return String((BigInt(n) * 7_654_321n) % 10_000_000_000n).padStart(24, '0');
}

/**
 * Makes some bottles of the fleet overdue for a silence, spread over all of it; none of those that `growth` lets send:
 * a bottle with a heartbeat in the log is not silent, whatever its state says.
 */
export async function makeSilent(db: mongo.Db, bottles: number, overdue: number, since: Date): Promise<void> {
  const step = Math.floor(bottles / overdue);
  const ids = Array.from({ length: overdue }, (_, index) => new mongo.ObjectId(bigFleetId(index * step + 1)));
  await db
    .collection<{ _id: mongo.ObjectId }>('bottle_states')
    .updateMany(
      { _id: { $in: ids } },
      { $set: { silent_at: since, last_heard_at: new Date(since.getTime() - 60 * MINUTE_MS) } },
    );
}
