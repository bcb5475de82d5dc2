import type { GroupChange, StateChange } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model, Types } from 'mongoose';
import { updateEach } from '../database/write-each.js';
import { BOTTLE_STATE, type StoredBottleState } from './bottle-state.schema.js';
import { toUpdate, whereApplicable, whereOlder } from './state-update.js';

type Change = GroupChange<Types.ObjectId>;

/** Bottles whose state was not changed, by id (hex). */
export interface Unchanged {
  /** The database refused the change; the other bottles of the group have theirs. */
  refused: Set<string>;
  /** They have no state: they were erased. */
  missing: Set<string>;
}

/** Writes what a group of reports changes; through the bare collection, like all of the write path. */
@Injectable()
export class ReportedStatesRepository {
  constructor(@InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>) {}

  /**
   * One command, whatever the group's size. Bottles that were erased, or whose action is not newer by its time, are looked
   * for if it did not match all of them.
   *
   * @param changes each bottle is in one of them
   * @throws what concerns the whole group.
   */
  async change(changes: readonly Change[]): Promise<Unchanged> {
    const unchanged: Unchanged = { refused: new Set(), missing: new Set() };
    let rest = await this.apply(changes, whereOlder, unchanged);
    while (rest.length > 0) rest = await this.apply(rest, whereApplicable, unchanged);
    return unchanged;
  }

  /** @returns what is to be applied instead, to bottles that have a newer action or another of the same time */
  private async apply(
    changes: readonly Change[],
    where: typeof whereApplicable,
    unchanged: Unchanged,
  ): Promise<Change[]> {
    const toOperation = ({ bottles, change }: Change): AnyBulkWriteOperation<StoredBottleState> => ({
      // not `updateOne`: for each of these the database would note in its session that it is not to be repeated
      updateMany: {
        filter: where(bottles.length === 1 ? bottles[0] : { $in: bottles }, change),
        update: toUpdate(change),
      },
    });
    const { matched, refused } = await updateEach(this.states.collection, changes, toOperation);
    if (refused.some(({ bottles }) => bottles.length > 1)) {
      // one of the bottles was refused and stopped the rest: each by itself
      const each = changes.flatMap(({ bottles, ...how }) => bottles.map((id) => ({ bottles: [id], ...how })));
      return this.apply(each, where, unchanged);
    }
    for (const { bottles } of refused) unchanged.refused.add(bottles[0]!.toHexString());
    const bottles = changes.flatMap((change) => change.bottles);
    if (matched + refused.length === bottles.length) return [];
    const known = await this.findKnown(changes);
    for (const id of bottles) if (!known.has(id.toHexString())) unchanged.missing.add(id.toHexString());
    return changes.flatMap(({ bottles: [id], change, otherwise }) => {
      const state = known.get(id!.toHexString());
      if (!otherwise || !state || unchanged.refused.has(id!.toHexString())) return [];
      const mayBeNewer = where === whereOlder && !isKnown(state, change);
      if (mayBeNewer) return { bottles: [id!], change, otherwise };
      return holds(state, otherwise) ? [] : { bottles: [id!], change: otherwise };
    });
  }

  private async findKnown(changes: readonly Change[]): Promise<Map<string, StoredBottleState>> {
    const fields = new Set(['last_action.id', 'last_action.time']);
    for (const { otherwise: { raise, lower, add } = {} } of changes)
      for (const field of Object.keys({ ...raise, ...lower, ...add })) fields.add(field);
    const known = await this.states
      .find({ _id: { $in: changes.flatMap(({ bottles }) => bottles) } }, [...fields])
      .lean<StoredBottleState[]>();
    return new Map(known.map((state) => [state._id.toHexString(), state]));
  }
}

/**
 * Whether nothing is left of a change: it was made, or others did as much. Its action alone does not show that: another
 * report of the same millisecond may have carried it. Made twice, a change does no harm.
 */
function holds(state: StoredBottleState, { raise = {}, lower = {}, add = {} }: StateChange): boolean {
  const { bad_clock, ...raised } = raise;
  const known = state as unknown as Record<string, Date | undefined>;
  const removals = new Set(state.unjudged_removals?.map(({ id }) => id.toHexString()));
  return (
    Object.entries(raised).every(([field, value]) => known[field] && known[field] >= value) &&
    Object.entries(lower).every(([field, value]) => known[field] && known[field] <= value) &&
    (!bad_clock || (state.bad_clock !== undefined && state.bad_clock.at > bad_clock.at)) &&
    (add.unjudged_removals ?? []).every(({ id }) => removals.has(id.toHexString()))
  );
}

/** The state has this action, or a later one. */
function isKnown({ last_action: known }: StoredBottleState, { set }: StateChange): boolean {
  const { id, time } = set!.last_action!;
  return known !== undefined && (known.time > time || known.id.toHexString() === id.toHexString());
}
