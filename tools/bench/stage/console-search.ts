import { entryKey, suffixesOf, textsOf } from '#persistence';
import { type mongo, Types } from 'mongoose';
import { bigFleetId, bigFleetOwner, MEDICATIONS } from './big-fleet.js';

/** A bottle has 39 entries, and at most 80,000 are written in a second: those of 3M bottles would take half an hour. */
export const FINDABLE_SHARE = 4;
/** Bottles whose entries are put into their order together: each group goes once through the whole collection. */
const GROUP = 50_000;
/** Entries that are written in one go. */
const BATCH = 20_000;

type Terms = mongo.Collection<{ _id: string }>;

/** The entries by which every fourth bottle is found, and every medication. */
export async function findable(db: mongo.Db, bottles: number): Promise<void> {
  const terms = db.collection<{ _id: string }>('bottle_search_terms');
  const found = Math.ceil(bottles / FINDABLE_SHARE);
  for (let from = 0; from < found; from += GROUP) {
    const group = Array.from({ length: Math.min(GROUP, found - from) }, (_, index) => from + index);
    await write(
      terms,
      group.flatMap((n) => entriesOf(n * FINDABLE_SHARE)),
    );
  }
  const medications = db.collection<{ _id: string }>('medication_search_terms');
  await write(
    medications,
    MEDICATIONS.flatMap((name) => [...suffixesOf([name])].map((end) => entryKey(end, name))),
  );
}

function entriesOf(n: number): string[] {
  const id = bigFleetId(n);
  const texts = textsOf({ _id: new Types.ObjectId(id), user_id: bigFleetOwner(n) });
  return [...suffixesOf(texts)].map((end) => entryKey(end, id));
}

async function write(terms: Terms, keys: string[]): Promise<void> {
  // in their order: neighbours lie on one page
  keys.sort();
  for (let from = 0; from < keys.length; from += BATCH) {
    const documents = keys.slice(from, from + BATCH).map((_id) => ({ _id }));
    await terms.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
  }
}
