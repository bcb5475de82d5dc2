import type { GroupChange, ReportChanges } from '#domain';
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
   * Two commands at once, whatever the group's size.
   *
   * @throws what concerns the whole group.
   */
  async change({ contacts, others }: ReportChanges<Types.ObjectId>): Promise<Unchanged> {
    const [{ refused, missing }, changed] = await Promise.all([
      this.changeContacts(contacts),
      updateEach(this.states.collection, others, toOperation),
    ]);
    for (const { bottles } of changed.refused) for (const id of bottles) refused.add(id.toHexString());
    return { refused, missing };
  }

  /** Every contact matches its bottle, unless the bottle was erased. */
  private async changeContacts(contacts: Change[]): Promise<Unchanged> {
    const { matched, refused } = await updateEach(this.states.collection, contacts, toOperation);
    if (refused.some(({ bottles }) => bottles.length > 1)) {
      // one of the bottles was refused and stopped the rest: each by itself
      return this.changeContacts(
        contacts.flatMap(({ bottles, change }) => bottles.map((id) => ({ bottles: [id], change }))),
      );
    }
    const bottles = contacts.flatMap((contact) => contact.bottles);
    return {
      refused: new Set(refused.map((contact) => contact.bottles[0]!.toHexString())),
      missing: matched + refused.length < bottles.length ? await this.findMissing(bottles) : new Set(),
    };
  }

  private async findMissing(bottles: Types.ObjectId[]): Promise<Set<string>> {
    const there = await this.states
      .find({ _id: { $in: bottles } }, { _id: 1 })
      .lean<{ _id: Types.ObjectId }[]>();
    const missing = new Set(bottles.map((id) => id.toHexString()));
    for (const { _id } of there) missing.delete(_id.toHexString());
    return missing;
  }
}

function toOperation({ bottles, change }: Change): AnyBulkWriteOperation<StoredBottleState> {
  const update = toUpdate(change);
  return bottles.length === 1
    ? { updateOne: { filter: whereApplicable(bottles[0]!, change), update } }
    : { updateMany: { filter: whereApplicable({ $in: bottles }, change), update } };
}
