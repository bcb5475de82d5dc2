import { mongo } from 'mongoose';

/** How much of the database's own log of changes there is. */
export interface OplogWindow {
  /** When its oldest entry was written. */
  since: Date;
  /** Its size, and how much it may have before the oldest entries are overwritten. Bytes. */
  size: number;
  limit: number;
}

/** @returns undefined where this user may not read it, or the server has none (mongos) */
export async function readOplogWindow(client: mongo.MongoClient): Promise<OplogWindow | undefined> {
  const oplog = client.db('local').collection<{ ts: mongo.Timestamp }>('oplog.rs');
  try {
    const [stats] = await oplog
      .aggregate<{ storageStats: { size: number; maxSize?: number } }>([{ $collStats: { storageStats: {} } }])
      .toArray();
    const first = await oplog.find().sort({ $natural: 1 }).limit(1).next();
    if (!stats?.storageStats.maxSize || !first) return undefined;
    const { size, maxSize } = stats.storageStats;
    return { since: oplogTime(first.ts), size, limit: maxSize };
  } catch (error) {
    if (error instanceof mongo.MongoServerError) return undefined;
    throw error;
  }
}

/**
 * When an entry that was written at an instant is overwritten, at the rate since the oldest one: once as much as the oplog
 * may have was written after it. In the past if it is overwritten.
 *
 * @returns undefined where hardly anything is written: that would be after the last date there is
 */
export function overwrittenAt(
  written: Date,
  { since, size, limit }: OplogWindow,
  now: Date,
): Date | undefined {
  if (written < since) return since;
  const wholeMs = ((now.getTime() - since.getTime()) * limit) / Math.max(size, 1);
  const until = new Date(Math.max(written.getTime() + wholeMs, now.getTime()));
  return Number.isNaN(until.getTime()) ? undefined : until;
}

export function oplogTime(timestamp: mongo.Timestamp): Date {
  return new Date(timestamp.getHighBits() * 1_000);
}
