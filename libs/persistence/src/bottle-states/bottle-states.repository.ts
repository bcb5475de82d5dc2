import type { Life, StateChange, StateAtSending } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BOTTLE_STATE, type BottleState, type StoredBottleState } from './bottle-state.schema.js';
import { ahead, type Direction } from '../database/keyset.js';
import { toState, toStored } from './phases.js';
import { toUpdate, whereApplicable } from './state-update.js';
import { CANARIES, NO_CANARY } from '../canaries/canaries.js';
import { BOTTLE_STATUSES, type BottleStatus, statusFilter, statusOf } from './status.js';

/** Which bottles. */
export interface StateFilter {
  status?: BottleStatus;
  user_id?: string;
  medication?: string;
  /** Bottles of any if left out. */
  life?: Life;
}

/** A bottle, and whether its doses are due to be judged. */
export interface JudgedBottle {
  _id: Types.ObjectId;
  user_id: string;
  isDue: boolean;
}

/** The stored fields of {@link StateAtSending}. */
export const AT_SENDING = {
  life: 1,
  quiet: 1,
  last_heard_at: 1,
  silent: 1,
  silent_at: 1,
  open_alerted: 1,
  open_unchanged: 1,
  dose_due_at: 1,
  unjudged_removals: 1,
  attested_slots: 1,
  schedule_changed_at: 1,
  judge_again_from: 1,
  plan_report: 1,
  set_aside: 1,
};

/** The orders of a list; each has an index that gives it. */
export const STATE_ORDERS = ['registered', 'user_id', 'last_seen', 'next_dose', 'battery'] as const;
export type StateOrder = (typeof STATE_ORDERS)[number];

/** A page of the fleet. Bottles with the same value come in the order of ids. */
export interface StatePage extends StateFilter {
  /**
   * Default: `registered`, which is the order of ids. The others have only bottles in use. `last_seen` takes only silent
   * bottles, the others by a value take no filter: `next_dose` has the bottles with a dose after `now`, `battery` those whose battery is known.
   */
  order?: StateOrder;
  /** Default: the beginning of time. */
  now?: Date;
  descending?: boolean;
  /** The last bottle of the previous page, with its value if the order has one. */
  after?: { id: Types.ObjectId; value?: string | Date | number } | undefined;
  limit: number;
}

interface Ordered {
  field: 'user_id' | 'last_heard_at' | 'next_dose_at' | 'battery_percent';
  index: string;
  filterAt: (now: Date) => QueryFilter<StoredBottleState>;
}

/** Bottles that are stored or retired are in no list, unless they are asked for. */
const IN_USE: QueryFilter<StoredBottleState> = { life: null };

/** The orders by a value. */
const ORDERED: Record<Exclude<StateOrder, 'registered'>, Ordered> = {
  user_id: { field: 'user_id', index: 'by_user', filterAt: () => IN_USE },
  last_seen: {
    field: 'last_heard_at',
    index: 'silent_by_last_seen',
    filterAt: () => ({ quiet: 'silent' }),
  },
  next_dose: {
    field: 'next_dose_at',
    index: 'by_next_dose',
    filterAt: (now) => ({ next_dose_at: { $gt: now } }),
  },
  battery: {
    field: 'battery_percent',
    index: 'by_battery',
    filterAt: () => ({ battery_percent: { $gte: 0 } }),
  },
};

/**
 * The bottles' states: what staff look up, and changes of single bottles. What a group of reports changes is written
 * by `ReportedStatesRepository`, and what a check changes by `DeadlinesRepository`.
 */
@Injectable()
export class BottleStatesRepository {
  constructor(@InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>) {}

  async insert(state: BottleState): Promise<void> {
    await this.states.create(toStored(state));
  }

  /** Makes the domain's changes of one bottle, in one command. */
  async change(id: Types.ObjectId, ...changes: StateChange[]): Promise<void> {
    if (changes.length === 0) return;
    const updates = changes.map((change) => ({
      updateOne: { filter: whereApplicable(id, change), update: toUpdate(change) },
    }));
    await this.states.collection.bulkWrite(updates as never, { ordered: false });
  }

  /** Changes the bottles of a user but canaries. */
  async changeOfUser(userId: string, change: StateChange): Promise<void> {
    const ids = await this.findIdsOfUser(userId);
    await this.states.updateMany({ _id: { $in: ids } }, toUpdate(change));
  }

  async findById(id: Types.ObjectId): Promise<BottleState | null> {
    const found = await this.findStored(id);
    return found && toState(found);
  }

  /** A bottle's state as it is stored, for an export. */
  findStored(id: Types.ObjectId): Promise<StoredBottleState | null> {
    return this.states.findById(id).lean<StoredBottleState>();
  }

  async findByIds(ids: Types.ObjectId[]): Promise<BottleState[]> {
    const found = await this.states.find({ _id: { $in: ids } }).lean<StoredBottleState[]>();
    return found.map(toState);
  }

  /** Of these bottles, what decides whether notifications may be sent. */
  async findAtSending(ids: Types.ObjectId[]): Promise<(StateAtSending & { _id: Types.ObjectId })[]> {
    const found = await this.states.find({ _id: { $in: ids } }, AT_SENDING).lean<StoredBottleState[]>();
    return found.map(toState);
  }

  /**
   * The bottles of these owners.
   *
   * @param dueBy `isDue`: its doses are due to be judged since then, or a contact has come for which that waited.
   */
  async findJudged(userIds: string[], dueBy: Date): Promise<JudgedBottle[]> {
    // what is no id, in a damaged record, has none
    const ids = [...new Set(userIds)].filter((id) => typeof id === 'string');
    const fields = { user_id: 1, dose_due_at: 1, dose_waiting: 1, unheard: 1, set_aside: 1 };
    const found = await this.states
      .find({ user_id: { $in: ids } }, fields)
      .hint('by_user')
      .lean<StoredBottleState[]>();
    return found.map(toState).map((state) => ({
      _id: state._id,
      user_id: state.user_id,
      isDue:
        (state.dose_due_at !== undefined && state.dose_due_at <= dueBy) ||
        (state.dose_wait === 'over' && state.set_aside === undefined),
    }));
  }

  /** A page of bottles by status, owner and medication; without canaries. */
  async findPage({
    order = 'registered',
    descending = false,
    after,
    limit,
    now = new Date(0),
    ...filter
  }: StatePage): Promise<BottleState[]> {
    const direction = descending ? -1 : 1;
    if (order !== 'registered') return this.findOrdered(ORDERED[order], direction, after, limit, now);
    const ids = { ...NO_CANARY, ...(after && { [descending ? '$lt' : '$gt']: after.id }) };
    const found = await this.states
      .find({ ...stateFilter(filter), _id: ids })
      .sort({ _id: direction })
      .hint(indexFor(filter))
      .limit(limit)
      .lean<StoredBottleState[]>();
    return found.map(toState);
  }

  private async findOrdered(
    { field, index, filterAt }: Ordered,
    direction: Direction,
    after: StatePage['after'],
    limit: number,
    now: Date,
  ): Promise<BottleState[]> {
    const last = after && { time: after.value!, id: after.id };
    const found: BottleState[] = [];
    const ranges = ahead<StoredBottleState>({ ...filterAt(now), _id: NO_CANARY }, field, last, direction);
    for (const { filter: range, sort } of ranges) {
      if (found.length === limit) break;
      const some = this.states
        .find(range)
        .hint(index)
        .sort(sort)
        .limit(limit - found.length);
      found.push(...(await some.lean<StoredBottleState[]>()).map(toState));
    }
    return found;
  }

  /**
   * How many bottles there are by status. Counted on an index alone; `ok` is the remainder, so that the
   * whole fleet is not counted. Canaries are left out, and bottles that are not in use.
   */
  async countByStatus(): Promise<Record<BottleStatus, number>> {
    const count = (filter: QueryFilter<StoredBottleState>, hint = 'by_condition'): Promise<number> =>
      this.states.countDocuments(filter, { hint });
    const [total, unused, unusedOpen, canaries, unknown, silent, late, allOpen] = await Promise.all([
      this.states.estimatedDocumentCount(),
      this.countNotInUse(),
      this.states.countDocuments(
        { life: { $in: ['stored', 'retired'] }, open: true },
        { hint: 'not_in_use' },
      ),
      this.states.find({ _id: CANARIES }, { quiet: 1, late: 1, open: 1 }).lean<StoredBottleState[]>(),
      // whether they are late makes no difference: one range each
      count({ quiet: 'never_heard' }),
      count({ quiet: 'silent' }),
      count(statusFilter('late')),
      count(statusFilter('open'), 'open_bottles'),
    ]);
    const open = allOpen - unusedOpen;
    const ok = total - unused.stored - unused.retired - unknown - silent - late - open;
    const counts = { unknown, silent, late, open, ok };
    for (const canary of canaries) counts[statusOf(canary)] -= 1;
    for (const status of BOTTLE_STATUSES) counts[status] = Math.max(0, counts[status]);
    return counts;
  }

  /** How many bottles are in a cupboard, and how many will not come back. */
  async countNotInUse(): Promise<Record<Exclude<Life, 'in_use'>, number>> {
    const count = (life: Life): Promise<number> =>
      this.states.countDocuments({ life } as QueryFilter<StoredBottleState>, { hint: 'by_life' });
    const [stored, retired] = await Promise.all([count('stored'), count('retired')]);
    return { stored, retired };
  }

  /** The bottles of a user but canaries, in the order of ids; all of them without a limit. */
  async findIdsOfUser(userId: string, limit = 0): Promise<Types.ObjectId[]> {
    const found = await this.states
      .find({ user_id: userId, _id: NO_CANARY }, { _id: 1 })
      .hint('by_user')
      .sort({ _id: 1 })
      .limit(limit)
      .lean<{ _id: Types.ObjectId }[]>();
    return found.map(({ _id }) => _id);
  }

  /** Bottles of each of these users but canaries, with their medications: all, or at most `limit` in all. */
  findOfUsers(userIds: string[], limit = 0): Promise<Pick<BottleState, '_id' | 'user_id' | 'medication'>[]> {
    return this.states
      .find({ user_id: { $in: userIds }, _id: NO_CANARY }, { user_id: 1, medication: 1 })
      .hint('by_user')
      .limit(limit)
      .lean<Pick<BottleState, '_id' | 'user_id' | 'medication'>[]>();
  }

  /** Whether a bottle has this medication. */
  async hasMedication(medication: string): Promise<boolean> {
    const found = await this.states
      .findOne({ medication }, { _id: 1 })
      .hint('by_medication_and_condition')
      .lean();
    return found !== null;
  }

  async delete(id: Types.ObjectId): Promise<void> {
    await this.states.deleteOne({ _id: id });
  }
}

function stateFilter({ status, user_id, medication, life }: StateFilter): QueryFilter<StoredBottleState> {
  return {
    ...(life === undefined ? {} : { life: life === 'in_use' ? null : life }),
    // without a status all of them, so that the index by medication gives the order of ids
    ...(status || medication !== undefined ? statusFilter(status) : {}),
    ...(user_id === undefined ? {} : { user_id }),
    ...(medication === undefined ? {} : { medication }),
  };
}

/** The planner's own choice depends on what it saw first; these read what they show, whatever the fleet is like. */
function indexFor({ status, user_id, medication, life }: StateFilter): string {
  if (user_id !== undefined) return 'by_user';
  // few are not in use
  const isUnused = life !== undefined && life !== 'in_use';
  if (status === 'open' && !isUnused) return 'open_bottles';
  if (medication !== undefined) return 'by_medication_and_condition';
  // of those in use nothing else is asked
  if (isUnused || (life !== undefined && !status)) return 'by_life';
  return status ? 'by_condition' : '_id_';
}
