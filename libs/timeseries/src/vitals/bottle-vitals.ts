import { liesWithin, type Period, touches } from '#domain';
import { Injectable } from '@nestjs/common';
import { mongo, type Types } from 'mongoose';
import type { FamilyName } from '../collections/families.js';
import { RangedCollections } from '../collections/ranged-collections.js';

const VITALS_FAMILIES: readonly FamilyName[] = ['ts_vitals', 'ts_vitals_seconds'];

/** All that is kept of what one bottle said of itself: a document a day by the minute, and one an hour by the second. */
@Injectable()
export class BottleVitals {
  constructor(private readonly collections: RangedCollections) {}

  /**
   * As it is stored, oldest first within days and within hours.
   *
   * @param periods leaves out what does not lie in them as a whole: the day and the hour of a handover, for instance
   */
  async *ofBottle(bottleId: Types.ObjectId, periods?: readonly Period[]): AsyncGenerator<mongo.Document> {
    for (const name of await this.names()) {
      const found = this.collections.existing(name).find(documentsOf(bottleId)).sort({ _id: 1 });
      for await (const document of found)
        if (!periods || liesWithin(periods, spanOf(name, document))) yield document;
    }
  }

  /** Part of erasing a former owner: deletes every document with something of these periods. */
  async deleteOfPeriods(bottleId: Types.ObjectId, periods: readonly Period[]): Promise<number> {
    let deleted = 0;
    for (const name of await this.names()) {
      const collection = this.collections.existing(name);
      for await (const document of collection.find(documentsOf(bottleId), { projection: { _id: 1 } }))
        if (touches(periods, spanOf(name, document)))
          deleted += (await collection.deleteOne({ _id: document['_id'] })).deletedCount;
    }
    return deleted;
  }

  /** Part of erasing the bottle. */
  async deleteOfBottle(bottleId: Types.ObjectId): Promise<number> {
    let deleted = 0;
    for (const name of await this.names())
      deleted += (await this.collections.existing(name).deleteMany(documentsOf(bottleId))).deletedCount;
    return deleted;
  }

  private async names(): Promise<string[]> {
    return (await Promise.all(VITALS_FAMILIES.map((family) => this.collections.namesOf(family)))).flat();
  }
}

const HOUR = 60 * 60_000;

/** A document is a day by the minute or an hour by the second. */
function spanOf(collection: string, { _id }: mongo.Document): Required<Period> {
  const { timestamp: from } = _id as { timestamp: Date };
  const length = collection.startsWith('ts_vitals_seconds') ? HOUR : 24 * HOUR;
  return { from, until: new Date(from.getTime() + length) };
}

/** By the index on `_id`, which is `{bottle_id, timestamp}`. */
function documentsOf(bottleId: Types.ObjectId): mongo.Filter<mongo.Document> {
  const at = (timestamp: unknown): unknown => ({ bottle_id: bottleId, timestamp });
  return { _id: { $gte: at(new mongo.MinKey()), $lte: at(new mongo.MaxKey()) } } as never;
}
