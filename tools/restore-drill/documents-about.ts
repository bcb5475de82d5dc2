import type { mongo } from 'mongoose';

/** Where the receipts of erasures stay: with the ids of bottles, and pseudonyms of people. */
const RECEIPTS = new Set(['audit', 'erasures']);

/** How many documents contain one of these ids anywhere, in all collections; for small databases. */
export async function documentsAbout(db: mongo.Db, ids: readonly string[]): Promise<number> {
  const collections = (await db.collections()).filter(
    ({ collectionName }) => !RECEIPTS.has(collectionName) && !collectionName.startsWith('system.'),
  );
  const counts = await Promise.all(
    collections.map(async (collection) => {
      const documents = await collection.find().toArray();
      return documents.filter((document) => mentions(document, ids)).length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function mentions(document: object, ids: readonly string[]): boolean {
  const text = JSON.stringify(document);
  return ids.some((id) => text.includes(id));
}
