import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';
import { LOGGED_METRICS, type LoggedMetric } from '../tiers/metrics.js';
import { startOf } from '../time/units.js';

/** An hour of a metric of which the counts may be behind. */
export interface DirtyBucket {
  _id: { metric: LoggedMetric; timestamp: Date };
  marked_at: Date;
  /** True when every change until `marked_at` has been counted. */
  done: boolean;
}

/** A change that was marked has been made within this time. Milliseconds. */
const SETTLED_MS = 60_000;
/** Who marked an hour this short a time ago need not mark it again. Milliseconds. */
const FRESH_MS = 10_000;

/** Which hours have changed since they were counted. */
@Injectable()
export class DirtyBuckets {
  /** When this process marked an hour last, by metric and hour. Milliseconds. */
  private readonly fresh = new Map<string, number>();

  constructor(private readonly collections: RangedCollections) {}

  /** To be awaited before something of these hours changes, within a minute. */
  async add(metric: LoggedMetric, times: readonly Date[], now: Date): Promise<void> {
    for (const [name, marked] of this.fresh)
      if (Math.abs(now.getTime() - marked) >= FRESH_MS) this.fresh.delete(name);
    const hours = times.map((time) => startOf('hour', time));
    const byName = new Map(hours.map((hour) => [`${metric} ${hour.getTime()}`, hour]));
    const unmarked = [...byName].filter(([name]) => !this.fresh.has(name));
    if (unmarked.length === 0) return;
    const update = { $max: { marked_at: now }, $set: { done: false } };
    const writes = unmarked.map(([, timestamp]) => ({
      updateOne: { filter: { _id: { metric, timestamp } }, update, upsert: true },
    }));
    await (await this.collection()).bulkWrite(writes, { ordered: false });
    for (const [name] of unmarked) this.fresh.set(name, now.getTime());
  }

  /** The hours to be counted, oldest first. Processes of version 0.1.0 mark hours of `reports`, too. */
  async findOpen(): Promise<DirtyBucket[]> {
    const open = { done: false, '_id.metric': { $in: [...LOGGED_METRICS] } };
    return (await this.collection()).find(open).sort({ '_id.timestamp': 1 }).toArray();
  }

  /**
   * An hour has been counted by what could be seen at `seenAt`. It stays open until its last mark is old enough for
   * the change behind it to have been seen.
   */
  async settle({ _id }: DirtyBucket, seenAt: Date): Promise<void> {
    const settled = new Date(seenAt.getTime() - SETTLED_MS);
    await (
      await this.collection()
    ).updateOne({ _id, marked_at: { $lte: settled } }, { $set: { done: true } });
  }

  private collection(): Promise<mongo.Collection<DirtyBucket>> {
    return this.collections.get<DirtyBucket>('ts_marks');
  }
}
