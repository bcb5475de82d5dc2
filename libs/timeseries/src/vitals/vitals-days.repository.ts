import { groupBy, liesWithin, type Period, touches } from '#domain';
import type { BottleHeartbeat } from '#persistence';
import { Injectable } from '@nestjs/common';
import { mongo, type Types } from 'mongoose';
import { collectionOf, RangedCollections } from '../collections/ranged-collections.js';
import { endOf, startOf } from '../time/units.js';
import { addSums, type Sampled, VITAL_NAMES, VITALS } from './vitals.js';

/** The vitals of a bottle's day, by the hour of the day (UTC). */
export interface VitalsDay {
  _id: { bottle_id: Types.ObjectId; timestamp: Date };
  hours: Record<string, Sampled>;
}

const FAMILY = 'ts_vitals';

/** Every query on `ts_vitals`: one document a bottle and day. */
@Injectable()
export class VitalsDaysRepository {
  constructor(private readonly collections: RangedCollections) {}

  /** Bottles' documents of these days. @param projection of `hours` */
  find(
    bottleIds: Types.ObjectId[],
    days: readonly Date[],
    projection?: mongo.Document,
  ): Promise<VitalsDay[]> {
    const buckets = bottleIds.flatMap((bottle_id) =>
      days.map((timestamp) => ({
        collection: collectionOf(FAMILY, timestamp),
        key: { _id: { bottle_id, timestamp } },
      })),
    );
    return this.collections.find<VitalsDay>(buckets, projection);
  }

  /** Writes the days again, whatever was there. */
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

  /** @param periods of a former owner: counts every day with something of them */
  async countOfBottle(bottleId: Types.ObjectId, periods?: readonly Period[]): Promise<number> {
    let count = 0;
    for await (const { days } of this.daysOfBottle(bottleId, periods)) count += days.length;
    return count;
  }

  /**
   * Part of erasing the bottle.
   *
   * @param periods of a former owner: deletes every day with something of them
   */
  async deleteOfBottle(bottleId: Types.ObjectId, periods?: readonly Period[]): Promise<void> {
    for await (const { collection, days } of this.daysOfBottle(bottleId, periods))
      await collection.deleteMany({ _id: { $in: days } });
  }

  /** The ids of a bottle's days, by collection; none is empty. */
  private async *daysOfBottle(
    bottleId: Types.ObjectId,
    periods: readonly Period[] | undefined,
  ): AsyncGenerator<{ collection: mongo.Collection<VitalsDay>; days: VitalsDay['_id'][] }> {
    for (const name of await this.collections.namesOf(FAMILY)) {
      const collection = this.collections.existing<VitalsDay>(name);
      const found = await collection.find(documentsOf(bottleId), { projection: { _id: 1 } }).toArray();
      const days = found.filter((day) => !periods || touches(periods, spanOf(day))).map(({ _id }) => _id);
      if (days.length > 0) yield { collection, days };
    }
  }
}

/** The documents of bottles' days; a bottle without vitals has none. */
export function daysOf(heartbeats: readonly BottleHeartbeat[]): VitalsDay[] {
  const days = new Map<string, VitalsDay>();
  for (const heartbeat of heartbeats) {
    const { bottle_id, time } = heartbeat;
    const timestamp = startOf('day', time);
    const name = `${bottle_id.toHexString()} ${timestamp.getTime()}`;
    for (const vital of VITAL_NAMES) {
      const value = heartbeat[VITALS[vital]];
      if (value === undefined) continue;
      const day = days.get(name) ?? { _id: { bottle_id, timestamp }, hours: {} };
      const sampled = (day.hours[time.getUTCHours()] ??= {});
      sampled[vital] = addSums(sampled[vital], { num_samples: 1, total: value, min: value, max: value });
      days.set(name, day);
    }
  }
  return [...days.values()];
}

function spanOf({ _id: { timestamp } }: Pick<VitalsDay, '_id'>): Required<Period> {
  return { from: timestamp, until: endOf('day', timestamp) };
}

/** By the index on `_id`, which is `{bottle_id, timestamp}`. */
function documentsOf(bottleId: Types.ObjectId): mongo.Filter<VitalsDay> {
  const at = (timestamp: unknown): unknown => ({ bottle_id: bottleId, timestamp });
  return { _id: { $gte: at(new mongo.MinKey()), $lte: at(new mongo.MaxKey()) } } as never;
}
