import type { StateChange } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BOTTLE_STATE, type BottleState } from './bottle-state.schema.js';
import { toUpdate, whereApplicable } from './state-update.js';
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
 * The bottles' states: what staff look up, and changes of single bottles. What a group of reports changes is written
 * by `ReportedStatesRepository`, and what a check changes by `DeadlinesRepository`.
 */
@Injectable()
export class BottleStatesRepository {
  constructor(@InjectModel(BOTTLE_STATE) private readonly states: Model<BottleState>) {}

  async insert(state: BottleState): Promise<void> {
    await this.states.create(state);
  }

  /** Makes the domain's changes of one bottle, in one command. */
  async change(id: Types.ObjectId, ...changes: StateChange[]): Promise<void> {
    if (changes.length === 0) return;
    const updates = changes.map((change) => ({
      updateOne: { filter: whereApplicable(id, change), update: toUpdate(change) },
    }));
    await this.states.collection.bulkWrite(updates as never, { ordered: false });
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
   * How many bottles there are by status. Counted on an index alone; `ok` is the remainder, so that the
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

  /** The bottles of a user. */
  async findIdsOfUser(userId: string): Promise<Types.ObjectId[]> {
    const found = await this.states
      .find({ user_id: userId }, { _id: 1 })
      .hint('by_user')
      .lean<{ _id: Types.ObjectId }[]>();
    return found.map(({ _id }) => _id);
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
