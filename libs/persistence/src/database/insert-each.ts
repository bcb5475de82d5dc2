import { mongo, type Collection } from 'mongoose';

/** What became of one document of a group. */
export type InsertOutcome =
  { kind: 'inserted' } | { kind: 'duplicate' } | { kind: 'failed'; message: string };

const DUPLICATE_KEY = 11_000;

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
    await collection.insertMany(documents, { ordered: false });
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError) || writeConcernFailed(error)) throw error;
    for (const failure of [error.writeErrors].flat()) {
      outcomes[failure.index] =
        failure.code === DUPLICATE_KEY
          ? { kind: 'duplicate' }
          : { kind: 'failed', message: failure.errmsg ?? 'refused by the database' };
    }
  }
  return outcomes;
}

function writeConcernFailed(error: mongo.MongoBulkWriteError): boolean {
  return error.result.getWriteConcernError() !== undefined || [error.writeErrors].flat().length === 0;
}
