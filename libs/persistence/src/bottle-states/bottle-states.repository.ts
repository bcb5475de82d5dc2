import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model, QueryFilter, Types, UpdateQuery } from 'mongoose';
import { BottleState } from './bottle-state.schema.js';

/** Status as staff see it; one bottle has one, the first that applies in this order. */
export const BOTTLE_STATUSES = ['unknown', 'silent', 'late', 'open', 'ok'] as const;
export type BottleStatus = (typeof BOTTLE_STATUSES)[number];

/** A page of the fleet, in the order of ids. */
export interface StatePage {
  status?: BottleStatus;
  user_id?: string;
  medication?: string;
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
  findPage(page: StatePage): Promise<BottleState[]> {
    return this.states
      .find({
        ...(page.status ? statusFilter(page.status) : {}),
        ...(page.user_id === undefined ? {} : { user_id: page.user_id }),
        ...(page.medication === undefined ? {} : { medication: page.medication }),
        ...(page.after ? { _id: { $gt: page.after } } : {}),
      })
      .sort({ _id: 1 })
      .limit(page.limit)
      .lean<BottleState[]>();
  }

  /** How many bottles there are by status. `ok` is what the troubles leave, so the fleet is not walked. */
  async countByStatus(): Promise<Record<BottleStatus, number>> {
    const [total, unknown, silent, late, open] = await Promise.all([
      this.states.estimatedDocumentCount(),
      ...(['unknown', 'silent', 'late', 'open'] as const).map((status) =>
        this.states.countDocuments(statusFilter(status)),
      ),
    ]);
    return {
      unknown: unknown!,
      silent: silent!,
      late: late!,
      open: open!,
      ok: Math.max(0, total - unknown! - silent! - late! - open!),
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

/** The status of a bottle, from its state alone. */
export function statusOf(state: BottleState): BottleStatus {
  if (state.last_heard_at === undefined) return 'unknown';
  if (state.silent && state.silent_at === undefined) return 'silent';
  if (state.late) return 'late';
  return state.open ? 'open' : 'ok';
}

/** The same rule as {@link statusOf}, as filters that an index answers. */
function statusFilter(status: BottleStatus): QueryFilter<BottleState> {
  const notSilent: QueryFilter<BottleState> = { $nor: [{ silent: true, silent_at: null }] };
  switch (status) {
    case 'unknown':
      return { never_heard: true };
    case 'silent':
      return { silent: true, silent_at: null };
    case 'late':
      return { late: true, never_heard: { $ne: true }, ...notSilent };
    case 'open':
      return { open: true, late: { $ne: true }, never_heard: { $ne: true }, ...notSilent };
    case 'ok':
      return { open: { $ne: true }, late: { $ne: true }, never_heard: { $ne: true }, ...notSilent };
  }
}
