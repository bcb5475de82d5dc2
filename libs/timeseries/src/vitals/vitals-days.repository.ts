import { liesWithin, type Period, touches } from '#domain';
import type { BottleHeartbeat } from '#persistence';
import { Injectable } from '@nestjs/common';
import { mongo, type Types } from 'mongoose';
import { collectionOf } from '../collections/families.js';
import { groupBy } from '../collections/group-by.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import { endOf, startOf } from '../time/units.js';
import { addSample, type Sampled } from './vitals.js';

/** What the heartbeats of a bottle's day said, by the hour of the day (UTC). */
export interface VitalsDay {
  _id: { bottle_id: Types.ObjectId; timestamp: Date };
  hours: Record<string, Sampled>;
}

const FAMILY = 'ts_vitals';

/** Every query on `ts_vitals`: one document a bottle and day. */
@Injectable()
export class VitalsDaysRepository {
  constructor(private readonly collections: RangedCollections) {}

  /** A bottle's documents of these days, by `_id`. @param projection of `hours` */
  async find(
    bottleIds: Types.ObjectId[],
    days: readonly Date[],
    projection?: mongo.Document,
  ): Promise<VitalsDay[]> {
    const byCollection = groupBy(days, (day) => collectionOf(FAMILY, day));
    const found = await Promise.all(
      [...byCollection].map(([name, some]) =>
        this.collections
          .existing<VitalsDay>(name)
          .find(
            {
              _id: {
                $in: bottleIds.flatMap((bottle_id) => some.map((timestamp) => ({ bottle_id, timestamp }))),
              },
            },
            projection ? { projection } : {},
          )
          .toArray(),
      ),
    );
    return found.flat();
  }

  /** Writes the days anew, whatever was there. */
  async write(documents: readonly VitalsDay[]): Promise<void> {
    for (const [name, some] of groupBy(documents, ({ _id }) => collectionOf(FAMILY, _id.timestamp)))
      await (
        await this.collections.get<VitalsDay>(name)
      ).bulkWrite(
        some.map(({ _id, hours }) => ({
          replaceOne: { filter: { _id }, replacement: { hours }, upsert: true },
        })),
        { ordered: false },
      );
  }

  /**
   * As it is stored, oldest first.
   *
   * @param periods leaves out days that do not lie in them as a whole: the day of a handover, for instance
   */
  async *ofBottle(bottleId: Types.ObjectId, periods?: readonly Period[]): AsyncGenerator<mongo.Document> {
    for (const name of await this.collections.namesOf(FAMILY)) {
      const found = this.collections.existing<VitalsDay>(name).find(documentsOf(bottleId)).sort({ _id: 1 });
      for await (const day of found) if (!periods || liesWithin(periods, spanOf(day))) yield day;
    }
  }

  /** Part of erasing a former owner: deletes every day with something of these periods. */
  async deleteOfPeriods(bottleId: Types.ObjectId, periods: readonly Period[]): Promise<number> {
    let deleted = 0;
    for (const name of await this.collections.namesOf(FAMILY)) {
      const collection = this.collections.existing<VitalsDay>(name);
      for await (const day of collection.find(documentsOf(bottleId), { projection: { _id: 1 } }))
        if (touches(periods, spanOf(day)))
          deleted += (await collection.deleteOne({ _id: day._id })).deletedCount;
    }
    return deleted;
  }

  /** Part of erasing the bottle. */
  async deleteOfBottle(bottleId: Types.ObjectId): Promise<number> {
    let deleted = 0;
    for (const name of await this.collections.namesOf(FAMILY))
      deleted += (await this.collections.existing<VitalsDay>(name).deleteMany(documentsOf(bottleId)))
        .deletedCount;
    return deleted;
  }
}

/** The documents of bottles' days; a bottle that said nothing of itself has none. */
export function daysOf(heartbeats: readonly BottleHeartbeat[]): VitalsDay[] {
  const days = new Map<string, VitalsDay>();
  for (const heartbeat of heartbeats) {
    const { bottle_id, time } = heartbeat;
    const timestamp = startOf('day', time);
    const name = `${bottle_id.toHexString()} ${timestamp.getTime()}`;
    const day = days.get(name) ?? { _id: { bottle_id, timestamp }, hours: {} };
    addSample((day.hours[time.getUTCHours()] ??= {}), heartbeat);
    days.set(name, day);
  }
  return [...days.values()].flatMap(({ _id, hours }) => {
    const said = Object.entries(hours).filter(([, sampled]) => Object.keys(sampled).length > 0);
    return said.length === 0 ? [] : [{ _id, hours: Object.fromEntries(said) }];
  });
}

function spanOf({ _id: { timestamp } }: Pick<VitalsDay, '_id'>): Required<Period> {
  return { from: timestamp, until: endOf('day', timestamp) };
}

/** By the index on `_id`, which is `{bottle_id, timestamp}`. */
function documentsOf(bottleId: Types.ObjectId): mongo.Filter<VitalsDay> {
  const at = (timestamp: unknown): unknown => ({ bottle_id: bottleId, timestamp });
  return { _id: { $gte: at(new mongo.MinKey()), $lte: at(new mongo.MaxKey()) } } as never;
}
