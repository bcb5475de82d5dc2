import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';
import type { LoggedMetric } from './logged-counts.js';
import { startOf } from '../time/units.js';

/** An hour of a metric of which the coarser tiers may be behind. */
export interface Mark {
  _id: { metric: LoggedMetric; timestamp: Date };
  marked_at: Date;
  /** True when everything that was marked has been rolled up. */
  done: boolean;
}

const NAME = 'ts_marks';

/** A change that was marked has been made within this time. Milliseconds. */
const SETTLED_MS = 60_000;
/** Who marked an hour this short a time ago need not mark it again. Milliseconds. */
const FRESH_MS = 10_000;

/** Which hours have changed since they were rolled up. */
@Injectable()
export class DirtyBuckets {
  private readonly fresh = new Map<string, number>();

  constructor(private readonly collections: RangedCollections) {}

  /** To be awaited before something of these hours changes, within a minute. */
  async add(metric: LoggedMetric, times: readonly Date[], now: Date): Promise<void> {
    const hours = this.unmarked(metric, times, now);
    if (hours.length === 0) return;
    await (
      await this.marks()
    ).bulkWrite(
      hours.map((timestamp) => ({
        updateOne: {
          filter: { _id: { metric, timestamp } },
          update: { $max: { marked_at: now }, $set: { done: false } },
          upsert: true,
        },
      })),
      { ordered: false },
    );
    this.remember(metric, hours, now);
  }

  /** The hours to be rolled up, oldest first. */
  async findOpen(limit: number): Promise<Mark[]> {
    return (await this.marks()).find({ done: false }).sort({ '_id.timestamp': 1 }).limit(limit).toArray();
  }

  /** The hours in [from, to) of a metric that are to be rolled up. */
  async findOpenOf(metric: LoggedMetric, from: Date, to: Date): Promise<Mark[]> {
    const filter = { done: false, '_id.timestamp': { $gte: from, $lt: to }, '_id.metric': metric };
    return (await this.marks()).find(filter).toArray();
  }

  /**
   * An hour has been rolled up by what could be seen at `seenAt`. It stays open until its last mark is old enough
   * for the change behind it to have been seen.
   */
  async settle({ _id }: Mark, seenAt: Date): Promise<void> {
    const settled = new Date(seenAt.getTime() - SETTLED_MS);
    await (await this.marks()).updateOne({ _id, marked_at: { $lte: settled } }, { $set: { done: true } });
  }

  private unmarked(metric: LoggedMetric, times: readonly Date[], now: Date): Date[] {
    const hours = new Map(times.map((time) => [startOf('hour', time).getTime(), startOf('hour', time)]));
    return [...hours.values()].filter((hour) => {
      const marked = this.fresh.get(`${metric} ${hour.getTime()}`);
      return marked === undefined || Math.abs(now.getTime() - marked) >= FRESH_MS;
    });
  }

  /** To be called when the database has the mark. */
  private remember(metric: LoggedMetric, hours: Date[], now: Date): void {
    for (const [name, marked] of this.fresh)
      if (Math.abs(now.getTime() - marked) >= FRESH_MS) this.fresh.delete(name);
    for (const hour of hours) this.fresh.set(`${metric} ${hour.getTime()}`, now.getTime());
  }

  private marks(): Promise<mongo.Collection<Mark>> {
    return this.collections.get<Mark>(NAME);
  }
}
