import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model, QueryFilter, Types, UpdateQuery } from 'mongoose';
import { BottleState } from './bottle-state.schema.js';
import { type BottleStatus, statusFilter } from './status.js';

/** Which bottles. */
export interface StateFilter {
  status?: BottleStatus;
  user_id?: string;
  medication?: string;
}

/** A page of the fleet, in the order of ids. */
export interface StatePage extends StateFilter {
  after?: Types.ObjectId;
  limit: number;
}

/**
 * The present of the bottles: what device-api writes and what staff look up.
 * The notifier's own queries are in `DeadlinesRepository`.
 */
@Injectable()
export class BottleStatesRepository {
  constructor(@InjectModel(BottleState.name) private readonly states: Model<BottleState>) {}

  async insert(state: BottleState): Promise<void> {
    await this.states.create(state);
  }

  /** One update for a group of bottles that were heard at one moment. */
  async updateMany(ids: Types.ObjectId[], update: UpdateQuery<BottleState>): Promise<void> {
    // the bare collection: this is the write path, and mongoose would cast every id again
    await this.states.collection.updateMany({ _id: { $in: ids } }, update);
  }

  /** Updates that differ from bottle to bottle, in the order given for each. */
  async bulkWrite(updates: AnyBulkWriteOperation<BottleState>[]): Promise<void> {
    if (updates.length > 0) await this.states.collection.bulkWrite(updates as never, { ordered: false });
  }

  findById(id: Types.ObjectId): Promise<BottleState | null> {
    return this.states.findById(id).lean<BottleState>();
  }

  findByIds(ids: Types.ObjectId[]): Promise<BottleState[]> {
    return this.states.find({ _id: { $in: ids } }).lean<BottleState[]>();
  }

  /** A page of bottles by status, owner and medication, in the order of ids. */
  findPage({ after, limit, ...filter }: StatePage): Promise<BottleState[]> {
    return this.states
      .find({ ...stateFilter(filter), ...(after ? { _id: { $gt: after } } : {}) })
      .sort({ _id: 1 })
      .hint(indexFor(filter))
      .limit(limit)
      .lean<BottleState[]>();
  }

  /** Those of these bottles that a filter lets through, in no particular order. */
  findAmong(ids: Types.ObjectId[], filter: StateFilter): Promise<BottleState[]> {
    return this.states.find({ _id: { $in: ids }, ...stateFilter(filter) }).lean<BottleState[]>();
  }

  /**
   * How many bottles there are by status. Counted on an index alone; `ok` is what the troubles leave, so that the
   * whole fleet is not counted.
   */
  async countByStatus(): Promise<Record<BottleStatus, number>> {
    const count = (filter: QueryFilter<BottleState>): Promise<number> =>
      this.states.countDocuments(filter, { hint: 'by_status' });
    const [total, unknown, silent, late, open] = await Promise.all([
      this.states.estimatedDocumentCount(),
      // whether they are late or open makes no difference: one range each
      count({ quiet: 'never_heard' }),
      count({ quiet: 'silent' }),
      count(statusFilter('late')),
      count(statusFilter('open')),
    ]);
    return {
      unknown,
      silent,
      late,
      open,
      ok: Math.max(0, total - unknown - silent - late - open),
    };
  }

  /** Keeps the copies of the registry's facts true. */
  async updateFacts(
    id: Types.ObjectId,
    facts: Partial<Pick<BottleState, 'user_id' | 'medication'>>,
  ): Promise<void> {
    await this.states.updateOne({ _id: id }, { $set: facts });
  }

  /** A schedule changed: look at this bottle's doses now. */
  async armDoses(id: Types.ObjectId, at: Date): Promise<void> {
    await this.states.updateOne(
      { _id: id },
      { $min: { dose_due_at: at }, $set: { schedule_changed_at: at } },
    );
  }

  async delete(id: Types.ObjectId): Promise<void> {
    await this.states.deleteOne({ _id: id });
  }
}

function stateFilter({ status, user_id, medication }: StateFilter): QueryFilter<BottleState> {
  return {
    // without a status all of them, so that the index by medication gives the order of ids
    ...(status || medication !== undefined ? statusFilter(status) : {}),
    ...(user_id === undefined ? {} : { user_id }),
    ...(medication === undefined ? {} : { medication }),
  };
}

/** The planner's own choice depends on what it saw first; these read what they show, whatever the fleet is like. */
function indexFor({ status, user_id, medication }: StateFilter): string {
  if (user_id !== undefined) return 'by_user';
  if (medication !== undefined) return 'by_medication_and_status';
  return status ? 'by_status' : '_id_';
}
