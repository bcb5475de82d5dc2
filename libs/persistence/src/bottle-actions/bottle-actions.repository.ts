import { groupBy, isWeighed, putBackSpan, type Weighing } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import type { BottleSpan } from '../database/bottle-span.js';
import { newestFirst, type HistoryRange } from '../database/history.js';
import { ofOwner, type OwnersPart } from '../database/owners-part.js';
import { sample, type SampledField, type Samples } from '../database/sample.js';
import { insertEach, type InsertFailure } from '../database/write-each.js';
import { BottleAction, type ActionName } from './bottle-action.schema.js';

/** What the lab's query 1 returns: one removal of pills. */
export interface Dosage {
  time: Date;
  pills_taken: number;
  user_id: string;
  medication: string;
}

/** What the lab's query 2 returns. */
export interface LastAction {
  time: Date;
  action: ActionName;
  user_id: string;
  medication: string;
}

/** Every query on `bottle_actions`. */
@Injectable()
export class BottleActionsRepository {
  constructor(@InjectModel(BottleAction.name) private readonly actions: Model<BottleAction>) {}

  /**
   * Writes the log, through the bare collection: mongoose's hydration costs 10-20 times the driver's own time a
   * document.
   *
   * @returns the documents that were not inserted, and why; each failed alone.
   */
  insert(documents: BottleAction[]): Promise<Map<BottleAction, InsertFailure>> {
    return insertEach(this.actions.collection, documents);
  }

  /** The `traceparent` of actions, by bottle and time, of those that have one; by `find_open_bottles`. */
  async findTraceparents(
    of: { bottle_id: Types.ObjectId; time: Date }[],
  ): Promise<Pick<BottleAction, 'bottle_id' | 'time' | 'traceparent'>[]> {
    if (of.length === 0) return [];
    return this.actions
      .find({ $or: of, traceparent: { $exists: true } }, { _id: 0, bottle_id: 1, time: 1, traceparent: 1 })
      .lean();
  }

  /**
   * The lab's query 1, covered by `find_missed_dosages`: closings with pills removed, oldest first.
   *
   * @param since inclusive; the lab looks two days back
   * @param limit how many at most; all by default
   */
  findDosagesSince(bottleId: Types.ObjectId, since: Date, limit = 0): Promise<Dosage[]> {
    return this.actions
      .find(
        { bottle_id: bottleId, action: 'closed', pills_taken: { $gt: 0 }, time: { $gte: since } },
        { _id: 0, time: 1, pills_taken: 1, user_id: 1, medication: 1 },
      )
      .sort({ time: 1 })
      .limit(limit)
      .hint('find_missed_dosages')
      .lean<Dosage[]>();
  }

  /**
   * The lab's query 2, covered by `find_open_bottles`: the last action of a bottle. A device whose clock
   * counts whole seconds can open and close within one: then the closing is the later, which a second
   * covered read finds.
   *
   * @param before exclusive; up to now without it
   */
  async findLastAction(bottleId: Types.ObjectId, before?: Date): Promise<LastAction | null> {
    const projection = { _id: 0, time: 1, action: 1, user_id: 1, medication: 1 };
    const last = await this.actions
      .findOne({ bottle_id: bottleId, ...(before && { time: { $lt: before } }) }, projection)
      .sort({ time: -1 })
      .hint('find_open_bottles')
      .lean<LastAction>();
    if (last?.action !== 'opened') return last;
    const closedAtOnce = await this.actions
      .findOne({ bottle_id: bottleId, time: last.time, action: 'closed' }, projection)
      .hint('find_open_bottles')
      .lean<LastAction>();
    return closedAtOnce ?? last;
  }

  /**
   * What a bottle weighed and counted when it was last closed, newest first, by the index `find_missed_dosages`.
   *
   * @param medication leaves out what was in the bottle before
   */
  async findWeighings(bottleId: Types.ObjectId, medication: string, limit: number): Promise<Weighing[]> {
    const found = await this.actions
      .find(
        { bottle_id: bottleId, action: 'closed', medication },
        { _id: 0, time: 1, mass_of_contents: 1, number_of_pills: 1 },
      )
      .sort({ time: -1 })
      .limit(limit)
      .hint('find_missed_dosages')
      .lean<(Partial<Weighing> & Pick<Weighing, 'time'>)[]>();
    return found.filter(isWeighed);
  }

  /** The newest action itself, with every field; ties as in {@link findLastAction}. */
  async findNewest(bottleId: Types.ObjectId): Promise<BottleAction | null> {
    const last = await this.findLastAction(bottleId);
    if (!last) return null;
    return this.actions
      .findOne({ bottle_id: bottleId, time: last.time, action: last.action })
      .sort({ _id: -1 })
      .lean<BottleAction>();
  }

  /** When the first action of each bottle, by event time, was received: reads one document of each. */
  async findFirstReceived(bottleIds: Types.ObjectId[]): Promise<Map<string, Date>> {
    const found = await this.actions.collection
      .aggregate<{ _id: Types.ObjectId; received_at: Date }>(
        [
          { $match: { bottle_id: { $in: bottleIds } } },
          { $sort: { bottle_id: 1, time: 1 } },
          { $group: { _id: '$bottle_id', received_at: { $first: '$received_at' } } },
        ],
        { hint: 'find_open_bottles' },
      )
      .toArray();
    return new Map(found.map(({ _id, received_at }) => [_id.toHexString(), received_at]));
  }

  /** A bottle's history by event time, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<BottleAction[]> {
    return newestFirst(this.actions, { field: 'time', hint: 'find_open_bottles' }, bottleId, range);
  }

  /**
   * What bottles did in these spans [from, to), which may overlap, with every field: each action once, in no order. By
   * `find_open_bottles`, each span a range of it.
   */
  async findInSpans(spans: readonly BottleSpan[]): Promise<BottleAction[]> {
    if (spans.length === 0) return [];
    return this.actions.collection
      .find<BottleAction>(
        { $or: spans.map(({ bottle_id, from, to }) => ({ bottle_id, time: { $gte: from, $lt: to } })) },
        { hint: 'find_open_bottles' },
      )
      .toArray();
  }

  /** By the bottle's id in hex: the closings of these removals, and those by which their pills may be put back (DOSE-41). */
  async findPuttingBack(
    removals: readonly { bottle_id: Types.ObjectId; time: Date }[],
  ): Promise<Map<string, BottleAction[]>> {
    const actions = await this.findInSpans(
      removals.map(({ bottle_id, time }) => ({ bottle_id, ...putBackSpan(time) })),
    );
    return groupBy(
      actions.filter(({ action }) => action === 'closed'),
      ({ bottle_id }) => bottle_id.toHexString(),
    );
  }

  /**
   * The newest `limit` actions of each of these bottles in [from, to), and those of the same moment as the last of them;
   * with every field, in no order. Two queries for all: how many others a bottle sent costs keys of the index only.
   */
  async findNewestOfBottles(
    bottleIds: Types.ObjectId[],
    { from, to, limit }: { from: Date; to: Date; limit: number },
  ): Promise<BottleAction[]> {
    if (bottleIds.length === 0) return [];
    const newest = await this.actions.collection
      .aggregate<{ _id: Types.ObjectId; times: Date[] }>(
        [
          { $match: { bottle_id: { $in: bottleIds }, time: { $gte: from, $lt: to } } },
          { $sort: { bottle_id: -1, time: -1 } },
          { $group: { _id: '$bottle_id', times: { $firstN: { input: '$time', n: limit } } } },
        ],
        { hint: 'find_open_bottles' },
      )
      .toArray();
    return this.findInSpans(newest.map(({ _id, times }) => ({ bottle_id: _id, from: times.at(-1)!, to })));
  }

  /** What these bottles did in [from, to), with every field, in no order. */
  findOfBottles(bottleIds: Types.ObjectId[], from: Date, to: Date): Promise<BottleAction[]> {
    return this.actions.collection
      .find<BottleAction>(
        { bottle_id: { $in: bottleIds }, time: { $gte: from, $lt: to } },
        { hint: 'find_open_bottles' },
      )
      .toArray();
  }

  /** What was received in [from, to), with every field, in no order. */
  findReceived(from: Date, to: Date): Promise<BottleAction[]> {
    return this.actions.collection
      .find<BottleAction>({ received_at: { $gte: from, $lt: to } }, { hint: 'by_receipt' })
      .toArray();
  }

  /** When the first action at or after `since` was received. */
  async findFirstReceipt(since: Date): Promise<Date | undefined> {
    const first = await this.actions
      .findOne({ received_at: { $gte: since } }, { _id: 0, received_at: 1 })
      .sort({ received_at: 1 })
      .hint('by_receipt')
      .lean<{ received_at: Date }>();
    return first?.received_at;
  }

  /** What a bottle measured in [from, to) (event time), added up by the unit. */
  sample(
    bottleId: Types.ObjectId,
    field: SampledField,
    range: { from: Date; to: Date; unit: 'second' | 'minute' | 'hour' },
  ): Promise<Samples[]> {
    return sample(this.actions.collection, { field, hint: 'find_open_bottles' }, bottleId, range);
  }

  /** Those of these actions that are in the log; each names its bottle, so that each shard is asked for its own. */
  findLogged(actions: Pick<BottleAction, '_id' | 'bottle_id'>[]): Promise<BottleAction[]> {
    return this.actions
      .find({
        _id: { $in: actions.map(({ _id }) => _id) },
        bottle_id: { $in: actions.map(({ bottle_id }) => bottle_id) },
      })
      .hint('_id_')
      .lean<BottleAction[]>();
  }

  /** Deletes reports that were logged for bottles that had been erased meanwhile. */
  async deleteLogged(documents: Pick<BottleAction, '_id' | 'bottle_id'>[]): Promise<void> {
    await this.actions.collection.deleteMany({
      _id: { $in: documents.map(({ _id }) => _id) },
      bottle_id: { $in: documents.map(({ bottle_id }) => bottle_id) },
    });
  }

  /** A bottle's whole log, oldest first, read as it is taken: for an export. */
  ofBottle(bottleId: Types.ObjectId, part?: OwnersPart): AsyncIterable<BottleAction> {
    return this.actions.collection
      .find<BottleAction>({ bottle_id: bottleId, ...ofOwner(part) })
      .hint('find_open_bottles')
      .sort({ time: 1 });
  }

  countOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<number> {
    return this.actions.countDocuments({ bottle_id: bottleId, ...ofOwner(part) });
  }

  /** Erases a bottle's log; part of erasing the bottle. */
  async deleteOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<void> {
    await this.actions.deleteMany({ bottle_id: bottleId, ...ofOwner(part) });
  }
}
