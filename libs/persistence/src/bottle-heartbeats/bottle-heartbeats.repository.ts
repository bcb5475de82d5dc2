import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { CANARIES } from '../canaries/canaries.js';
import { countByMinute, type MinuteCount } from '../database/count-by-minute.js';
import { newestFirst, type HistoryRange } from '../database/history.js';
import { ofOwner, type OwnersPart } from '../database/owners-part.js';
import { sample, type SampledField, type Samples } from '../database/sample.js';
import { insertEach, type InsertFailure } from '../database/write-each.js';
import { BottleHeartbeat } from './bottle-heartbeat.schema.js';

/** What the lab's query 3 returns. */
export interface LastHeartbeat {
  time: Date;
  user_id: string;
  medication: string;
}

/** More than a page needs: its answer comes whole. */
const ONE_BATCH = 1_000;

/** Every query on `bottle_heartbeats`. */
@Injectable()
export class BottleHeartbeatsRepository {
  constructor(@InjectModel(BottleHeartbeat.name) private readonly heartbeats: Model<BottleHeartbeat>) {}

  /** Writes the log, as `BottleActionsRepository.insert` does. @returns the documents that were not inserted. */
  insert(documents: BottleHeartbeat[]): Promise<Map<BottleHeartbeat, InsertFailure>> {
    return insertEach(this.heartbeats.collection, documents);
  }

  /** The lab's query 3, covered by `find_last_heartbeat`: the last heartbeat at or after `since`, if any. */
  findLastHeartbeat(bottleId: Types.ObjectId, since: Date): Promise<LastHeartbeat | null> {
    return this.heartbeats
      .findOne({ bottle_id: bottleId, time: { $gte: since } }, { _id: 0, time: 1, user_id: 1, medication: 1 })
      .sort({ time: -1 })
      .hint('find_last_heartbeat')
      .lean<LastHeartbeat>();
  }

  /** When the first heartbeat of each bottle came that the log still has: one key of `find_last_heartbeat` for each. */
  async findFirstTimes(bottleIds: Types.ObjectId[]): Promise<Map<string, Date>> {
    const found = await this.findOneTimeOfEach(bottleIds, 1);
    return new Map(found.map(({ _id, time }) => [_id.toHexString(), time]));
  }

  /** The newest heartbeat itself, with every field; of several at one moment, the one with the greatest id. */
  async findNewest(bottleId: Types.ObjectId): Promise<BottleHeartbeat | null> {
    const last = await this.findLastHeartbeat(bottleId, new Date(0));
    if (!last) return null;
    return this.heartbeats
      .findOne({ bottle_id: bottleId, time: last.time })
      .sort({ _id: -1 })
      .hint('find_last_heartbeat')
      .lean<BottleHeartbeat>();
  }

  /**
   * The newest heartbeats of these bottles, by bottle: as {@link findNewest} finds each, but two queries for all.
   *
   * @param known when it came, of bottles of which that was read already
   */
  async findNewestOf(
    bottleIds: Types.ObjectId[],
    known: ReadonlyMap<string, Date> = new Map(),
  ): Promise<Map<string, BottleHeartbeat>> {
    const last = bottleIds.flatMap((_id) => {
      const time = known.get(_id.toHexString());
      return time ? [{ _id, time }] : [];
    });
    const others = bottleIds.filter((id) => !known.has(id.toHexString()));
    last.push(...(await this.findOneTimeOfEach(others, -1)));
    if (last.length === 0) return new Map();
    const newest = await this.heartbeats.collection
      .find<BottleHeartbeat>(
        { $or: last.map(({ _id, time }) => ({ bottle_id: _id, time })) },
        { hint: 'find_last_heartbeat', batchSize: ONE_BATCH },
      )
      .toArray();
    // of several at one moment, the one with the greatest id comes last
    newest.sort((one, other) => (one._id < other._id ? -1 : 1));
    return new Map(newest.map((heartbeat) => [heartbeat.bottle_id.toHexString(), heartbeat]));
  }

  /** When the first (1) or the last (-1) heartbeat of each bottle came. */
  private async findOneTimeOfEach(
    bottleIds: Types.ObjectId[],
    order: 1 | -1,
  ): Promise<{ _id: Types.ObjectId; time: Date }[]> {
    if (bottleIds.length === 0) return [];
    return this.heartbeats.collection
      .aggregate<{ _id: Types.ObjectId; time: Date }>(
        [
          { $match: { bottle_id: { $in: bottleIds } } },
          { $sort: { bottle_id: order, time: order } },
          { $group: { _id: '$bottle_id', time: { $first: '$time' } } },
        ],
        { hint: 'find_last_heartbeat', batchSize: ONE_BATCH },
      )
      .toArray();
  }

  /** A bottle's heartbeats by receive time, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<BottleHeartbeat[]> {
    return newestFirst(this.heartbeats, { field: 'time', hint: 'find_last_heartbeat' }, bottleId, range);
  }

  /** When a bottle's heartbeats in [from, to) came, newest first; covered by `find_last_heartbeat`. */
  async findTimes(bottleId: Types.ObjectId, from: Date, to: Date, limit: number): Promise<Date[]> {
    const found = await this.heartbeats
      .find({ bottle_id: bottleId, time: { $gte: from, $lt: to } }, { _id: 0, time: 1 })
      .sort({ time: -1 })
      .limit(limit)
      .hint('find_last_heartbeat')
      .lean<{ time: Date }[]>();
    return found.map(({ time }) => time);
  }

  /** When the first heartbeat at or after `since` came, if any; covered as well. */
  async findTimeSince(bottleId: Types.ObjectId, since: Date): Promise<Date | undefined> {
    const found = await this.heartbeats
      .findOne({ bottle_id: bottleId, time: { $gte: since } }, { _id: 0, time: 1 })
      .sort({ time: 1 })
      .hint('find_last_heartbeat')
      .lean<{ time: Date }>();
    return found?.time;
  }

  /** How many heartbeats came in [from, to), of all bottles but canaries, by minute: read from indexes alone. */
  countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    return countByMinute(
      this.heartbeats.collection,
      { time: 'time', hint: 'TTL', byBottle: 'find_last_heartbeat' },
      from,
      to,
    );
  }

  /** How many heartbeats were received in [from, to), of all bottles but canaries: read from indexes alone. */
  async countReceived(from: Date, to: Date): Promise<number> {
    const received = { time: { $gte: from, $lt: to } };
    const [all, ofCanaries] = await Promise.all([
      this.heartbeats.collection.countDocuments(received, { hint: 'TTL' }),
      this.heartbeats.collection.countDocuments(
        { bottle_id: CANARIES, ...received },
        { hint: 'find_last_heartbeat' },
      ),
    ]);
    return all - ofCanaries;
  }

  /** When the first heartbeat at or after `since` that is still kept was received. */
  async findFirstReceipt(since: Date): Promise<Date | undefined> {
    const first = await this.heartbeats
      .findOne({ time: { $gte: since } }, { _id: 0, time: 1 })
      .sort({ time: 1 })
      .hint('TTL')
      .lean<{ time: Date }>();
    return first?.time;
  }

  /** What a bottle's heartbeats of [from, to) measured, added up by the unit; by `find_last_heartbeat`. */
  sample(
    bottleId: Types.ObjectId,
    field: SampledField,
    range: { from: Date; to: Date; unit: 'second' | 'minute' | 'hour' },
  ): Promise<Samples[]> {
    return sample(this.heartbeats.collection, { field, hint: 'find_last_heartbeat' }, bottleId, range);
  }

  /** The heartbeats of these bottles in [from, to), with every field, in no order. */
  findOfBottles(bottleIds: Types.ObjectId[], from: Date, to: Date): Promise<BottleHeartbeat[]> {
    return this.heartbeats.collection
      .find<BottleHeartbeat>(
        { bottle_id: { $in: bottleIds }, time: { $gte: from, $lt: to } },
        { hint: 'find_last_heartbeat' },
      )
      .toArray();
  }

  /** Deletes reports that were logged for bottles that had been erased meanwhile. */
  async deleteLogged(documents: Pick<BottleHeartbeat, '_id' | 'bottle_id'>[]): Promise<void> {
    await this.heartbeats.collection.deleteMany({
      _id: { $in: documents.map(({ _id }) => _id) },
      bottle_id: { $in: documents.map(({ bottle_id }) => bottle_id) },
    });
  }

  /** All heartbeats of a bottle, oldest first, read as it is taken: for an export. */
  ofBottle(bottleId: Types.ObjectId, part?: OwnersPart): AsyncIterable<BottleHeartbeat> {
    return this.heartbeats.collection
      .find<BottleHeartbeat>({ bottle_id: bottleId, ...ofOwner(part) })
      .hint('find_last_heartbeat')
      .sort({ time: 1 });
  }

  countOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<number> {
    return this.heartbeats.countDocuments({ bottle_id: bottleId, ...ofOwner(part) });
  }

  /** Erases a bottle's heartbeats; part of erasing the bottle. */
  async deleteOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<void> {
    await this.heartbeats.deleteMany({ bottle_id: bottleId, ...ofOwner(part) });
  }
}
