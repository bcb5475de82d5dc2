import { DUPLICATE_KEY, isDuplicateKey } from '#persistence';
import { mongo } from 'mongoose';

export interface Upsert {
  filter: mongo.Document;
  update: mongo.Document;
}

/**
 * Upserts whose filters name a document and say on which condition it is to be changed. Where the condition does
 * not hold, the database tries to insert the document and meets its name: then nothing is to be done. It meets it,
 * too, where another process made the document in the same moment: the second try tells the two apart.
 *
 * @throws what is wrong beside that.
 */
export async function upsertWhereOpen(collection: mongo.Collection, upserts: Upsert[]): Promise<void> {
  const refused = await tryAll(collection, upserts);
  if (refused.length > 0) await tryAll(collection, refused);
}

/** @returns those that met the name of a document. */
async function tryAll(collection: mongo.Collection, upserts: Upsert[]): Promise<Upsert[]> {
  const writes = upserts.map(({ filter, update }) => ({ updateOne: { filter, update, upsert: true } }));
  const failures = await duplicatesOf(() => collection.bulkWrite(writes, { ordered: false }));
  return failures.map((index) => upserts[index]!);
}

/**
 * Runs a write in which some may meet the name of a document that is there.
 *
 * @returns the indexes of those that did. @throws whatever else is wrong.
 */
export async function duplicatesOf(write: () => Promise<unknown>): Promise<number[]> {
  try {
    await write();
    return [];
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if (!(error instanceof mongo.MongoBulkWriteError)) return [0];
    const failures = [error.writeErrors].flat();
    const concern = error.result.getWriteConcernError();
    if (concern || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return failures.map(({ index }) => index);
  }
}
