import type { Collection } from 'mongoose';
import { CANARIES } from '../canaries/canaries.js';
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
  /** The index by bottle and time, for what canaries have: it is left out. */
  byBottle: string;
}

/** Counts the documents of [from, to) by minute and key, in the database; without those of canaries. */
export async function countByMinute(
  collection: Collection,
  by: CountedBy,
  from: Date,
  to: Date,
): Promise<MinuteCount[]> {
  const [all, ofCanaries] = await Promise.all([
    count(collection, by, { [by.time]: { $gte: from, $lt: to } }),
    // few: the other count is made on an index that does not contain the bottle
    count(
      collection,
      { ...by, hint: by.byBottle },
      { bottle_id: CANARIES, [by.time]: { $gte: from, $lt: to } },
    ),
  ]);
  return all.flatMap((one) => {
    const left = ofCanaries.find(
      ({ minute, key }) => minute.getTime() === one.minute.getTime() && key === one.key,
    );
    const counted = one.count - (left?.count ?? 0);
    return counted > 0 ? { ...one, count: counted } : [];
  });
}

async function count(
  collection: Collection,
  { time, key, hint }: CountedBy,
  filter: object,
): Promise<MinuteCount[]> {
  const counts = await collection
    .aggregate<{ _id: { minute: Date; key?: string }; count: number }>(
      [
        { $match: filter },
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
