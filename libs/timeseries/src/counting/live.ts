import { Injectable } from '@nestjs/common';
import { collectionOf } from '../collections/families.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import { SECOND, startOf } from '../time/units.js';
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
  /** Of `heartbeats`: how many processes listened in this minute. */
  listening?: number;
}

export function liveBucket(kind: LiveKind, at: Date): Bucket {
  const minute = startOf('minute', at);
  return { collection: collectionOf('ts_live', minute), key: { _id: { kind, timestamp_minute: minute } } };
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
    const second = Math.floor((at.getTime() - startOf('minute', at).getTime()) / SECOND);
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
    const minute = startOf('minute', now);
    if (minute.getTime() !== this.listened) this.tally.add(liveBucket('heartbeats', now), 'listening', 1);
    this.listened = minute.getTime();
    const counted = this.tally;
    this.tally = new Tally();
    await this.buckets.add(counted);
  }

  /** How many processes listened in a minute. */
  async listeningIn(minute: Date): Promise<number> {
    const { collection, key } = liveBucket('heartbeats', minute);
    const found = await this.collections.existing<LiveDocument>(collection).findOne(key as object);
    return found?.listening ?? 0;
  }
}
