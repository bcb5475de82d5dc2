import type { Collection } from 'mongoose';
import { LONG_COMMAND } from './time-limits.js';

/** How many documents of a minute (UTC) have each key. */
export interface MinuteCount {
  minute: Date;
  /** The value of the key field; empty if documents are counted by minute only. */
  key: string;
  count: number;
}

/** What is counted, and the index that serves it. */
export interface CountedBy {
  /** The time field. */
  time: string;
  /** The key field. */
  key?: string;
  hint: string;
}

/** Counts the documents of [from, to) by minute and key, in the database. */
export async function countByMinute(
  collection: Collection,
  { time, key, hint }: CountedBy,
  from: Date,
  to: Date,
): Promise<MinuteCount[]> {
  const counts = await collection
    .aggregate<{ _id: { minute: Date; key?: string }; count: number }>(
      [
        { $match: { [time]: { $gte: from, $lt: to } } },
        // only these, so that the index covers the query
        { $project: { _id: 0, [time]: 1, ...(key ? { [key]: 1 } : {}) } },
        {
          $group: {
            _id: {
              minute: { $dateTrunc: { date: `$${time}`, unit: 'minute' } },
              ...(key ? { key: `$${key}` } : {}),
            },
            count: { $sum: 1 },
          },
        },
      ],
      { hint, ...LONG_COMMAND },
    )
    .toArray();
  return counts.map(({ _id, count }) => ({ minute: _id.minute, key: _id.key ?? '', count }));
}
