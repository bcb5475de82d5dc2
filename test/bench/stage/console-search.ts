import { entryKey, suffixesOf, textsOf } from '#persistence';
import { type mongo, Types } from 'mongoose';
import { bigFleetId, bigFleetOwner, MEDICATIONS } from './big-fleet.js';

/** A bottle has nearly 40 entries: of the whole fleet they would take longer to write than all else. */
export const FINDABLE_SHARE = 30;
/** Bottles whose entries are written in one go. */
const GROUP = 2_000;

type Terms = mongo.Collection<{ _id: string }>;

/** The entries by which every thirtieth bottle is found, and every medication. */
export async function findable(db: mongo.Db, bottles: number): Promise<void> {
  const terms = db.collection<{ _id: string }>('bottle_search_terms');
  const found = bottles / FINDABLE_SHARE;
  let writing: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < found; from += GROUP) {
    const keys = Array.from({ length: Math.min(GROUP, found - from) }, (_, index) =>
      entriesOf((from + index) * FINDABLE_SHARE),
    ).flat();
    // the next are made while these are written
    await writing;
    writing = write(terms, keys);
  }
  await writing;
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
  const documents = keys.sort().map((_id) => ({ _id }));
  await terms.insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
}
