import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { groupBy } from '../collections/group-by.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import { duplicatesOf, upsertWhereOpen } from '../collections/upsert.js';
import { emptyMonth, TAKEN } from './taken.js';
import { type Counts, fencePath, type Tally } from './tally.js';

/** Adds what was counted to the documents: one update a unit. */
@Injectable()
export class Buckets {
  constructor(private readonly collections: RangedCollections) {}

  /**
   * @param receivedBefore all of it was received before this moment and within the second before it: a unit that
   *   is fenced up to there takes none of it, because it is counted from the log.
   * @throws when anything of it may not have been added.
   */
  async add(tally: Tally, receivedBefore: Date): Promise<void> {
    const byCollection = groupBy(tally.counts(), ({ unit }) => unit.collection);
    await Promise.all(
      [...byCollection].map(async ([name, counts]) => {
        const collection = await this.collections.get(name);
        await (name === TAKEN
          ? addToMonths(collection, counts, receivedBefore)
          : upsertWhereOpen(
              collection,
              counts.map((one) => ({ filter: openTo(one, receivedBefore), update: updateOf(one) })),
            ));
      }),
    );
  }
}

/**
 * The three steps of a document that has to be complete before it is counted into: update; where nothing matched,
 * insert it with zeros, whoever else does the same; update again.
 */
async function addToMonths(collection: mongo.Collection, counts: Counts[], before: Date): Promise<void> {
  await Promise.all(
    counts.map(async (one) => {
      const update = (): Promise<mongo.UpdateResult> =>
        collection.updateOne(openTo(one, before), updateOf(one));
      if ((await update()).matchedCount > 0) return;
      const { medication, time_zone, date } = one.unit.key as {
        medication: string;
        time_zone: string;
        date: Date;
      };
      await duplicatesOf(() => collection.insertOne(emptyMonth(medication, time_zone, date)));
      await update();
    }),
  );
}

function openTo({ unit }: Counts, before: Date): mongo.Document {
  return { ...unit.key, [fencePath(unit.part)]: { $not: { $gte: before } } };
}

/** The update that adds counts to their document. */
export function updateOf({ sums, least, greatest }: Counts): mongo.Document {
  return {
    $inc: Object.fromEntries(sums),
    ...(least.size > 0 ? { $min: Object.fromEntries(least), $max: Object.fromEntries(greatest) } : {}),
  };
}
