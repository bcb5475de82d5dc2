import { mongo, type AnyBulkWriteOperation, type Collection } from 'mongoose';
import { isDatabaseError } from './database-status.js';
import { DUPLICATE_KEY } from './duplicate-key.js';

/** Why a document of a group was not inserted: its id exists, or the database refused it alone. */
export type InsertFailure = 'duplicate' | 'refused';

/**
 * The time limit of one attempt of a command; the driver makes two, so a hanging server fails before the device times
 * out. Less than the limit of other commands (`time-limits.ts`).
 */
const TIMEOUT = { socketTimeoutMS: 3_000 };

/**
 * Inserts a group in one command (unordered): a document that fails, fails alone.
 *
 * @returns the documents that were not inserted, and why; empty as a rule.
 * @throws errors of the whole group: no primary, or no majority acknowledged it.
 */
export async function insertEach<T extends object>(
  collection: Collection,
  documents: readonly T[],
): Promise<Map<T, InsertFailure>> {
  const failures = new Map<T, InsertFailure>();
  if (documents.length === 0) return failures;
  try {
    await collection.insertMany(documents, { ordered: false, ...TIMEOUT });
  } catch (error) {
    for (const { index, code } of itemErrors(error))
      failures.set(documents[index]!, code === DUPLICATE_KEY ? 'duplicate' : 'refused');
  }
  return failures;
}

/** The outcome of a group of updates. */
export interface UpdateOutcome<C> {
  /** How many documents matched. */
  matched: number;
  /** The changes that the database refused; each was refused alone. */
  refused: C[];
}

/**
 * Applies changes in one command (unordered).
 *
 * @throws errors of the whole group.
 */
export async function updateEach<C, T extends object>(
  collection: Collection,
  changes: readonly C[],
  toOperation: (change: C) => AnyBulkWriteOperation<T>,
): Promise<UpdateOutcome<C>> {
  if (changes.length === 0) return { matched: 0, refused: [] };
  try {
    const operations = changes.map(toOperation);
    const { matchedCount } = await collection.bulkWrite(operations as never, { ordered: false, ...TIMEOUT });
    return { matched: matchedCount, refused: [] };
  } catch (error) {
    return {
      refused: itemErrors(error).map(({ index }) => changes[index]!),
      matched: (error as BulkError).matchedCount,
    };
  }
}

/**
 * Writes, and once more if the database failed: what the driver does for single documents only. For writes that do no harm
 * when they are repeated.
 */
export async function onceMore<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    return write();
  }
}

type BulkError = mongo.MongoBulkWriteError;

/** The errors of single items. @throws the error itself if it concerns the whole group. */
export function itemErrors(error: unknown): mongo.WriteError[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  const items = [error.writeErrors].flat();
  if (error.result.getWriteConcernError() !== undefined || items.length === 0) throw error;
  return items;
}
