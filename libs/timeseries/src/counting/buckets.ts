import { groupBy } from '#domain';
import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';
import { duplicatesOf, type Upsert, upsertWhereOpen } from '../collections/upsert.js';
import { emptyMonth, TAKEN, type TakenMonth } from './taken.js';
import type { Tally } from './tally.js';

/** Adds what was counted to the documents: one update each. */
@Injectable()
export class Buckets {
  constructor(private readonly collections: RangedCollections) {}

  /**
   * @param minute all that was received in it. Documents that it was added to before take none of it, so doing it
   *   again, or at once with somebody else, changes nothing. Without it, everything is added.
   * @throws when anything of it may not have been added.
   */
  async add(tally: Tally, minute?: Date): Promise<void> {
    const byCollection = groupBy(tally.counts(), ({ bucket }) => bucket.collection);
    await Promise.all(
      [...byCollection].map(async ([name, counts]) => {
        const collection = await this.collections.get(name);
        const writes = counts.map(({ bucket, sums }) => ({
          filter: { ...bucket.key, ...(minute && { applied: { $not: { $gte: minute } } }) },
          update: { $inc: Object.fromEntries(sums), ...(minute && { $set: { applied: minute } }) },
        }));
        await (name === TAKEN ? addToMonths(collection, writes) : upsertWhereOpen(collection, writes));
      }),
    );
  }
}

/**
 * The three steps of a document that has to be complete before it is counted into: update; where nothing matched,
 * insert it with zeros, whoever else does the same; update again.
 */
async function addToMonths(collection: mongo.Collection, writes: Upsert[]): Promise<void> {
  await Promise.all(
    writes.map(async ({ filter, update }) => {
      if ((await collection.updateOne(filter, update)).matchedCount > 0) return;
      await duplicatesOf(() => collection.insertOne(emptyMonth(filter as TakenMonth)));
      await collection.updateOne(filter, update);
    }),
  );
}
