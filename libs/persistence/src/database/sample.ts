import type { Collection, Types } from 'mongoose';

/** Measurements in the log. */
export type SampledField = 'battery_percent' | 'rssi_dbm' | 'mass_of_contents' | 'number_of_pills';

/** Samples of one moment, second, minute or hour, from its start on. */
export interface Samples {
  at: Date;
  num_samples: number;
  total: number;
  min: number;
  max: number;
}

/** What a bottle's entries of [from, to) measured, added up in the database by the unit, in no order. */
export function sample(
  collection: Collection,
  { field, hint }: { field: SampledField; hint: string },
  bottleId: Types.ObjectId,
  { from, to, unit }: { from: Date; to: Date; unit: 'second' | 'minute' | 'hour' },
): Promise<Samples[]> {
  const value = `$${field}`;
  return collection
    .aggregate<Samples>(
      [
        { $match: { bottle_id: bottleId, time: { $gte: from, $lt: to }, [field]: { $exists: true } } },
        {
          $group: {
            _id: { $dateTrunc: { date: '$time', unit } },
            num_samples: { $sum: 1 },
            total: { $sum: value },
            min: { $min: value },
            max: { $max: value },
          },
        },
        { $project: { _id: 0, at: '$_id', num_samples: 1, total: 1, min: 1, max: 1 } },
      ],
      { hint },
    )
    .toArray();
}
