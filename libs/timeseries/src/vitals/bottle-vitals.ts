import { Injectable } from '@nestjs/common';
import { mongo, type Types } from 'mongoose';
import type { FamilyName } from '../collections/families.js';
import { RangedCollections } from '../collections/ranged-collections.js';

const VITALS_FAMILIES: readonly FamilyName[] = ['ts_vitals', 'ts_vitals_seconds'];

/** All that is kept of what one bottle said of itself: a document a day by the minute, and one an hour by the second. */
@Injectable()
export class BottleVitals {
  constructor(private readonly collections: RangedCollections) {}

  /** As it is stored, oldest first within days and within hours. */
  async *ofBottle(bottleId: Types.ObjectId): AsyncGenerator<mongo.Document> {
    for (const name of await this.names())
      yield* this.collections.existing(name).find(documentsOf(bottleId)).sort({ _id: 1 });
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

/** By the index on `_id`, which is `{bottle_id, timestamp}`. */
function documentsOf(bottleId: Types.ObjectId): mongo.Filter<mongo.Document> {
  const at = (timestamp: unknown): unknown => ({ bottle_id: bottleId, timestamp });
  return { _id: { $gte: at(new mongo.MinKey()), $lte: at(new mongo.MaxKey()) } } as never;
}
