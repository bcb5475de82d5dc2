import { Injectable } from '@nestjs/common';
import { RangedCollections } from '../collections/ranged-collections.js';
import { upsertWhereOpen } from '../collections/upsert.js';
import { type Metric, tierCollection, tierKey } from '../counting/reports.js';
import type { KeyCounts } from '../tiers/tier-document.js';

/** Values of one document of a tier, by field. */
export type Fields = Map<number, KeyCounts>;

/**
 * Writes what was rolled up, or counted anew: values are set and not added, so that doing it again changes nothing.
 * Of several notifiers that do the same, the one that read last is right: `seenAt` is when what the values are made
 * of was read.
 */
@Injectable()
export class RolledValuesRepository {
  constructor(private readonly collections: RangedCollections) {}

  /** An hour by minutes. */
  async setHour(tier: '1m' | '5m', metric: Metric, start: Date, fields: Fields, seenAt: Date): Promise<void> {
    const filter = { ...tierKey(metric, start), rolled_at: { $not: { $gt: seenAt } } };
    const update = { $set: { values: Object.fromEntries(fields), rolled_at: seenAt } };
    await upsertWhereOpen(await this.collections.get(tierCollection(tier, start)), [{ filter, update }]);
  }

  /** One hour of a day, or one day of a year. */
  async setField(
    tier: '1h' | '1d',
    metric: Metric,
    start: Date,
    field: number,
    counts: KeyCounts,
    seenAt: Date,
  ): Promise<void> {
    const rolledAt = `rolled_at.${field}`;
    const filter = { ...tierKey(metric, start), [rolledAt]: { $not: { $gt: seenAt } } };
    const $set = { [`values.${field}`]: counts, [rolledAt]: seenAt };
    await upsertWhereOpen(await this.collections.get(tierCollection(tier, start)), [
      { filter, update: { $set } },
    ]);
  }
}
