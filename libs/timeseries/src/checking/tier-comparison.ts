import { Injectable } from '@nestjs/common';
import { type Metric, reportsBucket } from '../counting/reports.js';
import { type TierDocument, valuesOf } from '../tiers/tier-document.js';
import { TierDocumentsRepository } from '../tiers/tier-documents.repository.js';
import { homeOf, slotOf, TIER_NAMES, type TierName, TIERS, timeOfSlot } from '../tiers/tiers.js';
import { endOf, HOUR, spansBetween } from '../time/units.js';
import type { Difference } from './difference.js';

/** What a tier counted. */
export interface TierRead {
  metric: Metric;
  tier: TierName;
  /** The starts of the buckets that are compared. Milliseconds. */
  buckets: Set<number>;
  documents: TierDocument[];
}

interface Expected {
  bucket: Date;
  key: string;
  count: number;
}

/** What the log says of a metric, by tier, bucket and key. */
export class LoggedTiers {
  private readonly tiers = new Map<TierName, Map<string, Expected>>();

  /** @param tiers in which it counts. */
  add(at: Date, key: string, count: number, tiers: readonly TierName[] = TIER_NAMES): void {
    for (const tier of tiers) this.at(tier, timeOfSlot(tier, slotOf(tier, at)), key).count += count;
  }

  at(tier: TierName, bucket: Date, key: string): Expected {
    const expected = this.of(tier);
    const name = `${key} ${bucket.getTime()}`;
    const known = expected.get(name) ?? { bucket, key, count: 0 };
    expected.set(name, known);
    return known;
  }

  of(tier: TierName): Map<string, Expected> {
    const known = this.tiers.get(tier) ?? new Map<string, Expected>();
    this.tiers.set(tier, known);
    return known;
  }
}

/** Compares what the tiers counted with the log, bucket by bucket and key by key. */
@Injectable()
export class TierComparison {
  constructor(private readonly documents: TierDocumentsRepository) {}

  /** What the tiers that hold [from, to), whole hours, counted; days, where they are wholly in it. */
  read(metric: Metric, { from, to }: { from: Date; to: Date }, now: Date): Promise<TierRead[]> {
    return Promise.all(
      TIER_NAMES.map(async (tier) => {
        const buckets = bucketsOf(tier, from, to, now);
        const starts = [...buckets].map((time) => slotOf(tier, new Date(time)).start);
        const distinct = new Map(starts.map((start) => [start.getTime(), start]));
        const documents = await this.documents.find(tier, metric, [...distinct.values()]);
        return { metric, tier, buckets, documents };
      }),
    );
  }

  /** @param since only what lies after it is compared: the log of before is past keeping. */
  compare(read: readonly TierRead[], log: LoggedTiers, since: (key: string) => Date): Difference[] {
    return read.flatMap(({ metric, tier, buckets, documents }) => {
      const values = documents.flatMap((document) => valuesOf(tier, document));
      const counts = new Map(values.map((value) => [value.at.getTime(), value.counts]));
      for (const { at, counts: keys } of values) for (const key of Object.keys(keys)) log.at(tier, at, key);
      return [...log.of(tier).values()].flatMap(({ bucket, key, count: logged }): Difference[] => {
        const counted = counts.get(bucket.getTime())?.[key] ?? 0;
        if (counted === logged || !buckets.has(bucket.getTime()) || bucket < since(key)) return [];
        const difference = { tier, bucket, kind: `${metric} ${key}`, counted, logged };
        // the others are counted anew as a whole
        if (metric !== 'reports') return [difference];
        const place = reportsBucket(tier, bucket);
        const path = `values.${place.field}.${key}`;
        return [{ ...difference, mend: (tally) => tally.add(place.bucket, path, logged - counted) }];
      });
    });
  }
}

/** The buckets of a tier that lie in [from, to) and that it is there to hold; milliseconds. */
function bucketsOf(tier: TierName, from: Date, to: Date, now: Date): Set<number> {
  if (tier === '1d') {
    const days = spansBetween('day', from, to);
    return new Set(days.filter((day) => day >= from && endOf('day', day) <= to).map((day) => day.getTime()));
  }
  const holds = { '1m': ['1m'], '5m': ['1m'], '1h': ['1m', '1h'] }[tier];
  const hours = spansBetween('hour', from, to).filter((hour) => holds.includes(homeOf(hour, now)));
  const { step } = TIERS[tier];
  return new Set(
    hours.flatMap((hour) => Array.from({ length: HOUR / step }, (_, index) => hour.getTime() + index * step)),
  );
}
