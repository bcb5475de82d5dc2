import { SECOND_MS, HOUR_MS } from '#domain';
import { Injectable } from '@nestjs/common';
import { collectionOf, RangedCollections } from '../collections/ranged-collections.js';
import { duplicatesOf } from '../collections/upsert.js';
import { endOf, spansBetween, startOf } from '../time/units.js';
import { Buckets } from './buckets.js';
import { type Bucket, Tally } from './tally.js';

/** What is counted by the second, by time of receipt. */
export const LIVE_KINDS = ['heartbeats', 'opened', 'closed', 'refused'] as const;
export type LiveKind = (typeof LIVE_KINDS)[number];

/** One document a minute and kind. */
export interface LiveDocument {
  _id: { kind: LiveKind; timestamp_minute: Date };
  /** A counter a second. */
  seconds?: Record<string, number>;
  total?: number;
  /** Of `refused`: how many by the code of the answer. */
  codes?: Record<string, number>;
  /** Of `heartbeats`: how many processes accepted reports in this minute. */
  listening?: number;
}

const NO_SECONDS = Object.fromEntries(Array.from({ length: 60 }, (_, second) => [String(second), 0]));

export function liveBucket(kind: LiveKind, at: Date): Bucket {
  const minute = startOf('minute', at);
  return { collection: collectionOf('ts_live', minute), key: { _id: { kind, timestamp_minute: minute } } };
}

/** The documents of all kinds for [from, to). */
export function liveBuckets(from: Date, to: Date): Bucket[] {
  const minutes = spansBetween('minute', from, to);
  return minutes.flatMap((minute) => LIVE_KINDS.map((kind) => liveBucket(kind, minute)));
}

/**
 * Counts by the second as it happens, in memory, for the live chart. It is a best effort: what a crash or the
 * database's failure leaves unwritten is missing there, and nowhere else.
 */
@Injectable()
export class LiveCounts {
  private tally = new Tally();
  /** The last minute in which this process was noted as listening. Milliseconds. */
  private listened = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly buckets: Buckets,
    private readonly collections: RangedCollections,
  ) {}

  count(kind: LiveKind, at: Date, amount = 1): void {
    const bucket = liveBucket(kind, at);
    const second = Math.floor((at.getTime() - startOf('minute', at).getTime()) / SECOND_MS);
    this.tally.add(bucket, `seconds.${second}`, amount);
    this.tally.add(bucket, 'total', amount);
  }

  /** Reports that were refused, by the code of the answer. */
  refuse(code: string, at: Date, amount = 1): void {
    this.count('refused', at, amount);
    // a name of a field, whatever the code is
    this.tally.add(liveBucket('refused', at), `codes.${code.replaceAll(/\W/g, '_')}`, amount);
  }

  /** Writes what has been counted; to be called every second. */
  async flush(now: Date): Promise<void> {
    const minute = startOf('minute', now).getTime();
    if (minute !== this.listened) this.tally.add(liveBucket('heartbeats', now), 'listening', 1);
    const counted = this.tally;
    this.tally = new Tally();
    await this.buckets.add(counted);
    // not before it is written: a minute in which nobody listened is a gap in all charts
    this.listened = minute;
  }

  /** How many processes accepted reports in a minute. */
  async countAccepting(minute: Date): Promise<number> {
    const [found] = await this.collections.find<LiveDocument>([liveBucket('heartbeats', minute)]);
    return found?.listening ?? 0;
  }

  /**
   * Makes the next hour's documents ahead, each with all its fields, so that no count makes one grow. What is there
   * already stays as it is. docs/time-series.md says what that still brings.
   */
  async makeNextHour(now: Date): Promise<void> {
    const hour = endOf('hour', now);
    const buckets = liveBuckets(hour, new Date(hour.getTime() + HOUR_MS));
    // an hour lies in one collection
    const collection = await this.collections.get(buckets[0]!.collection);
    const documents = buckets.map(({ key }) => ({ ...key, seconds: NO_SECONDS, total: 0 }));
    await duplicatesOf(() => collection.insertMany(documents, { ordered: false }));
  }
}
