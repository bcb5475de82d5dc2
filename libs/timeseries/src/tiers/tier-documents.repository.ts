import { Injectable } from '@nestjs/common';
import { groupBy } from '../collections/group-by.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import { type Metric, tierCollection, tierKey } from '../counting/reports.js';
import type { TierDocument } from './tier-document.js';
import type { TierName } from './tiers.js';

/** Reads the tiers by series and time; when they were counted is left out. */
@Injectable()
export class TierDocumentsRepository {
  constructor(private readonly collections: RangedCollections) {}

  /** The documents of a metric that begin at these moments; as many reads by `_id` as there are documents. */
  async find(tier: TierName, metric: Metric, starts: readonly Date[]): Promise<TierDocument[]> {
    const byCollection = groupBy(starts, (start) => tierCollection(tier, start));
    const found = await Promise.all(
      [...byCollection].map(([name, some]) =>
        this.collections
          .existing<TierDocument>(name)
          .find(
            { _id: { $in: some.map((start) => tierKey(metric, start)._id) } },
            { projection: { rolled_at: 0, applied: 0 } },
          )
          .toArray(),
      ),
    );
    return found.flat();
  }
}
