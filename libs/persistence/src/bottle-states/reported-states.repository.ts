import type { GroupChange, StateChange } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { AnyBulkWriteOperation, Model, Types } from 'mongoose';
import { updateEach } from '../database/write-each.js';
import { BOTTLE_STATE, type StoredBottleState } from './bottle-state.schema.js';
import { toUpdate, whereApplicable } from './state-update.js';

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
   * One command, whatever the group's size. Bottles that were erased, or whose newer action was known, are looked for if
   * it did not match all of them.
   *
   * @param changes each bottle is in one of them
   * @throws what concerns the whole group.
   */
  async change(changes: readonly Change[]): Promise<Unchanged> {
    const { matched, refused } = await updateEach(this.states.collection, changes, toOperation);
    if (refused.some(({ bottles }) => bottles.length > 1)) {
      // one of the bottles was refused and stopped the rest: each by itself
      return this.change(
        changes.flatMap(({ bottles, ...how }) => bottles.map((id) => ({ bottles: [id], ...how }))),
      );
    }
    const found: Unchanged = {
      refused: new Set(refused.map(({ bottles }) => bottles[0]!.toHexString())),
      missing: new Set(),
    };
    const bottles = changes.flatMap((change) => change.bottles);
    if (matched + refused.length === bottles.length) return found;
    const known = await this.findKnown(bottles);
    for (const id of bottles) if (!known.has(id.toHexString())) found.missing.add(id.toHexString());
    const others = changes.flatMap(({ bottles: [id], change, otherwise }) => {
      const state = known.get(id!.toHexString());
      return otherwise && state && !shows(state, change) ? { bottles: [id!], change: otherwise } : [];
    });
    if (others.length === 0) return found;
    const more = await this.change(others);
    for (const id of more.refused) found.refused.add(id);
    for (const id of more.missing) found.missing.add(id);
    return found;
  }

  private async findKnown(bottles: Types.ObjectId[]): Promise<Map<string, Known>> {
    const fields = { last_heard_at: 1, 'last_action.id': 1 };
    const known = await this.states.find({ _id: { $in: bottles } }, fields).lean<Known[]>();
    return new Map(known.map((state) => [state._id.toHexString(), state]));
  }
}

type Known = Pick<StoredBottleState, '_id' | 'last_heard_at' | 'last_action'>;

/** Whether the change was applied: a state shows its action and its contact only if they came together. */
function shows({ last_heard_at, last_action }: Known, { set, raise }: StateChange): boolean {
  return (
    last_action?.id.toHexString() === set?.last_action?.id.toHexString() &&
    last_heard_at?.getTime() === raise?.last_heard_at?.getTime()
  );
}

function toOperation({ bottles, change }: Change): AnyBulkWriteOperation<StoredBottleState> {
  const update = toUpdate(change);
  const [id] = bottles;
  if (bottles.length > 1) return { updateMany: { filter: whereApplicable({ $in: bottles }, change), update } };
  // by its id alone the database does not plan; with more it would, for each bottle again
  const hint = change.ifNewer && { hint: '_id_' };
  return { updateOne: { filter: whereApplicable(id!, change), ...hint, update } };
}
