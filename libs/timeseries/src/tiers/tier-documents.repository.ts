import { HOUR_MS } from '#domain';
import { Injectable } from '@nestjs/common';
import { RangedCollections } from '../collections/ranged-collections.js';
import { upsertWhereOpen } from '../collections/upsert.js';
import { tierBucket } from '../counting/reports.js';
import type { Metric } from './metrics.js';
import { rollUp, slotOf, type TierDocument, type TierName, TIERS, type Value } from './tiers.js';

/** The tiers by series and time. */
@Injectable()
export class TierDocumentsRepository {
  constructor(private readonly collections: RangedCollections) {}

  /** The documents of a metric that begin at these moments; when they were counted is left out. */
  find(tier: TierName, metric: Metric, starts: readonly Date[]): Promise<TierDocument[]> {
    const buckets = starts.map((start) => tierBucket(tier, metric, start));
    return this.collections.find<TierDocument>(buckets, { rolled_at: 0, applied: 0 });
  }

  /**
   * Writes what was counted again: of a tier by minutes the whole hour that begins at `at`, of the others the value
   * that holds it. Values are set and not added, so that doing it again changes nothing. Of several notifiers that do
   * the same, the one that read last is right.
   *
   * @param seenAt when what the values are made of was read.
   */
  async set(tier: TierName, metric: Metric, at: Date, values: readonly Value[], seenAt: Date): Promise<void> {
    const { start, field } = slotOf(tier, at);
    const { collection, key } = tierBucket(tier, metric, start);
    const fields = rollUp(tier, values);
    // without any value something was there, and has been dropped again: that is no gap
    const [path, value] =
      TIERS[tier].step < HOUR_MS ? ['', Object.fromEntries(fields)] : [`.${field}`, fields.get(field) ?? {}];
    const filter = { ...key, [`rolled_at${path}`]: { $not: { $gt: seenAt } } };
    const update = { $set: { [`values${path}`]: value, [`rolled_at${path}`]: seenAt } };
    await upsertWhereOpen(await this.collections.get(collection), [{ filter, update }]);
  }
}
