import { mongo, type AnyBulkWriteOperation, type Collection } from 'mongoose';

/** What became of one document of a group. */
export type InsertOutcome =
  { kind: 'inserted' } | { kind: 'duplicate' } | { kind: 'failed'; message: string };

const DUPLICATE_KEY = 11_000;

/**
 * How long one try of a command may take; the driver tries twice. So a server that hangs is given up before a
 * device gives up. Set here for the command alone (the driver passes it on to the connection): `timeoutMS` does
 * nothing in this driver, and for the whole client the limit would end index builds as well. Milliseconds.
 */
const PATIENCE = { socketTimeoutMS: 3_000 };

/**
 * Inserts a group in one command (unordered) and says what became of each, in the order given: the
 * driver's `writeErrors[].index` is mapped back, so an item that fails fails alone.
 *
 * @throws whatever concerns the whole group: no primary, or no majority acknowledged it.
 */
export async function insertEach<T extends object>(
  collection: Collection,
  documents: readonly T[],
): Promise<InsertOutcome[]> {
  const outcomes: InsertOutcome[] = documents.map(() => ({ kind: 'inserted' }));
  if (documents.length === 0) return outcomes;
  try {
    await collection.insertMany(documents, { ordered: false, ...PATIENCE });
  } catch (error) {
    for (const { index, code, errmsg } of itemErrors(error)) {
      outcomes[index] =
        code === DUPLICATE_KEY
          ? { kind: 'duplicate' }
          : { kind: 'failed', message: errmsg ?? 'refused by the database' };
    }
  }
  return outcomes;
}

/** What became of a group of updates. */
export interface UpdateOutcome {
  /** How many documents there were to update. */
  matched: number;
  /** Indexes of the updates that the database refused; each was refused alone. */
  refused: number[];
}

/**
 * Applies updates in one command (unordered).
 *
 * @throws whatever concerns the whole group.
 */
export async function updateEach<T extends object>(
  collection: Collection,
  updates: readonly AnyBulkWriteOperation<T>[],
): Promise<UpdateOutcome> {
  if (updates.length === 0) return { matched: 0, refused: [] };
  try {
    const { matchedCount } = await collection.bulkWrite(updates as never, { ordered: false, ...PATIENCE });
    return { matched: matchedCount, refused: [] };
  } catch (error) {
    return {
      refused: itemErrors(error).map(({ index }) => index),
      matched: (error as BulkError).matchedCount,
    };
  }
}

type BulkError = mongo.MongoBulkWriteError;

/** The errors of single items. @throws the error itself when it concerns the whole group. */
function itemErrors(error: unknown): mongo.WriteError[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  const items = [error.writeErrors].flat();
  if (error.result.getWriteConcernError() !== undefined || items.length === 0) throw error;
  return items;
}
