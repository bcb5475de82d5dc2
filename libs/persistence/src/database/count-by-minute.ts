import type { Collection } from 'mongoose';

/** How many documents of a minute (UTC) have each word. */
export interface MinuteCount {
  minute: Date;
  /** The word that is counted by; empty where nothing but the minute counts. */
  key: string;
  count: number;
}

/** What is counted, and by which index. */
export interface CountedBy {
  /** The field with the time. */
  time: string;
  /** The field with the word. */
  key?: string;
  hint: string;
}

/** Counts documents with a time in [from, to) by minute, and by a word of theirs, in the database. */
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
        // nothing else, so that an index alone can answer
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
      { hint },
    )
    .toArray();
  return counts.map(({ _id, count }) => ({ minute: _id.minute, key: _id.key ?? '', count }));
}
