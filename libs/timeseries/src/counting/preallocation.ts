import { Injectable } from '@nestjs/common';
import { groupBy } from '../collections/group-by.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import { duplicatesOf } from '../collections/upsert.js';
import { endOf, MINUTE } from '../time/units.js';
import { LIVE_KINDS, liveBucket } from './live.js';

const MINUTES_OF_HOUR = 60;
const SECONDS = Object.fromEntries(Array.from({ length: 60 }, (_, second) => [String(second), 0]));

/**
 * Makes the next hour's documents by the second ahead, each with all its fields, so that no count makes one grow.
 * docs/time-series.md says what that still brings.
 */
@Injectable()
export class Preallocation {
  constructor(private readonly collections: RangedCollections) {}

  /** What is there already stays as it is. */
  async nextHour(now: Date): Promise<void> {
    const hour = endOf('hour', now);
    const buckets = Array.from({ length: MINUTES_OF_HOUR }, (_, minute) => {
      const at = new Date(hour.getTime() + minute * MINUTE);
      return LIVE_KINDS.map((kind) => liveBucket(kind, at));
    }).flat();
    for (const [name, some] of groupBy(buckets, ({ collection }) => collection)) {
      const collection = await this.collections.get(name);
      const documents = some.map(({ key }) => ({ ...key, seconds: SECONDS, total: 0 }));
      await duplicatesOf(() => collection.insertMany(documents, { ordered: false }));
    }
  }
}
