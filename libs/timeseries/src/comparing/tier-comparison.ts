import { Injectable } from '@nestjs/common';
import { type Metric, reportsUnit } from '../counting/reports.js';
import { type TierDocument, valuesOf } from '../tiers/tier-document.js';
import { TierDocumentsRepository } from '../tiers/tier-documents.repository.js';
import { homeOf, slotOf, type TierName, TIERS, timeOfSlot } from '../tiers/tiers.js';
import { endOf, HOUR, spansBetween, startOf } from '../time/units.js';
import { heldAgainst, type Difference } from './difference.js';
import type { Logged, MinuteLog } from './report-log.js';

/** Compares what the tiers counted with the log, bucket by bucket and key by key. */
@Injectable()
export class TierComparison {
  constructor(private readonly documents: TierDocumentsRepository) {}

  /** What the tiers that hold [from, to), whole hours, counted; days, where they are wholly in it. */
  async read(metric: Metric, { from, to }: { from: Date; to: Date }, now: Date): Promise<TierRead[]> {
    const tiers = (['1m', '5m', '1h', '1d'] as const).map((tier) => ({
      tier,
      buckets: bucketsOf(tier, from, to, now),
    }));
    return Promise.all(
      tiers.map(async ({ tier, buckets }) => {
        const starts = [...buckets].map((time) => slotOf(tier, new Date(time)).start);
        const distinct = new Map(starts.map((start) => [start.getTime(), start]));
        const documents = await this.documents.find(tier, metric, [...distinct.values()]);
        return { metric, tier, buckets, documents, now };
      }),
    );
  }

  /** What the minutes counted, as the documents are: to be kept until the log has been read. */
  readMinutes(metric: Metric, { from, to }: { from: Date; to: Date }): Promise<TierDocument[]> {
    return this.documents.find('1m', metric, spansBetween('hour', from, to));
  }

  /** The same as a part of what is compared. @param now when they were read. */
  minutesRead(
    metric: Metric,
    { from, to }: { from: Date; to: Date },
    documents: TierDocument[],
    now: Date,
  ): TierRead {
    return { metric, tier: '1m', buckets: bucketsOf('1m', from, to, now), documents, now };
  }

  /**
   * @param read before the log: what is counted is in the log first.
   * @param since only what lies after it is compared: the log of before is past keeping.
   */
  compare(read: readonly TierRead[], log: readonly MinuteLog[], since: (key: string) => Date): Difference[] {
    return read.flatMap((one) => [...wrongBuckets(one, log, since), ...wrongSums(one)]);
  }
}

/** What a tier counted. */
export interface TierRead {
  metric: Metric;
  tier: TierName;
  /** The starts of the buckets that are compared. Milliseconds. */
  buckets: Set<number>;
  documents: TierDocument[];
  now: Date;
}

function wrongBuckets(
  { metric, tier, buckets, documents, now }: TierRead,
  log: readonly MinuteLog[],
  since: (key: string) => Date,
): Difference[] {
  const values = documents.flatMap((document) => valuesOf(tier, document));
  const counted = new Map(values.map(({ at, counts }) => [at.getTime(), counts]));
  const logged = summed(tier, log);
  for (const { at, counts } of values) for (const key of Object.keys(counts)) known(logged, at, key);
  return [...logged.values()].flatMap(({ bucket, key, ...sum }): Difference[] => {
    if (!buckets.has(bucket.getTime()) || bucket < since(key)) return [];
    const count = counted.get(bucket.getTime())?.[key] ?? 0;
    const difference = heldAgainst(count, sum);
    if (!difference) return [];
    const unit = metric === 'reports' && homeOf(bucket, now) === tier && reportsUnit(bucket, now).unit;
    const kind = `${metric} ${key}`;
    return [{ tier, bucket, kind, ...difference, ...(unit && { unit }) }];
  });
}

/** The sum that a document of minutes carries beside its values. */
function wrongSums({ tier, documents, now }: TierRead): Difference[] {
  if (tier !== '1m') return [];
  return documents.flatMap(({ _id, values = {}, sums }) => {
    const minutes = Object.values(values);
    const keys = new Set([sums ?? {}, ...(sums ? minutes : [])].flatMap((counts) => Object.keys(counts)));
    return [...keys].flatMap((key): Difference[] => {
      const logged = minutes.reduce((sum, counts) => sum + (counts[key] ?? 0), 0);
      const counted = sums?.[key] ?? 0;
      const { unit } = reportsUnit(_id.timestamp, now);
      const kind = `${_id.metric} ${key}, sum of the hour`;
      return counted === logged
        ? []
        : [{ tier, bucket: _id.timestamp, kind, counted, logged, sure: true, unit }];
    });
  });
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

interface Sum extends Logged {
  bucket: Date;
  key: string;
}

function summed(tier: TierName, log: readonly MinuteLog[]): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { minute, key, least, most } of log) {
    const sum = known(sums, timeOfSlot(tier, slotOf(tier, minute)), key);
    sum.least += least;
    sum.most += most;
  }
  return sums;
}

function known(sums: Map<string, Sum>, bucket: Date, key: string): Sum {
  const name = `${key} ${bucket.getTime()}`;
  const sum = sums.get(name) ?? { bucket, key, least: 0, most: 0 };
  sums.set(name, sum);
  return sum;
}

/** Widens a range to whole hours. */
export function wholeHours({ from, to }: { from: Date; to: Date }): { from: Date; to: Date } {
  const last = startOf('hour', to);
  return { from: startOf('hour', from), to: last < to ? endOf('hour', to) : last };
}
