import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types, UpdateQuery } from 'mongoose';
import { updateEach } from '../database/write-each.js';
import { BottleState } from './bottle-state.schema.js';
import type { StateUpdate } from './state-updates.js';

/** Bottles whose state did not follow their reports, by id. */
export interface Unfollowed {
  /** The database refused it; the others of the group have theirs. */
  refused: Set<string>;
  /** They have no state: they were erased. */
  missing: Set<string>;
}

/** What a group of reports changes of the bottles' states; through the bare collection, as all of the write path. */
@Injectable()
export class ReportedStatesRepository {
  constructor(@InjectModel(BottleState.name) private readonly states: Model<BottleState>) {}

  /**
   * All bottles of a group were heard: one update for those that said no more than that, and one each for those
   * that did.
   *
   * @throws what concerns the whole group.
   */
  async hear(
    alive: Types.ObjectId[],
    contact: UpdateQuery<BottleState>,
    telling: StateUpdate[],
  ): Promise<Unfollowed> {
    const together =
      alive.length === 0 ? [] : [{ updateMany: { filter: { _id: { $in: alive } }, update: contact } }];
    const { matched, refused } = await updateEach(this.states.collection, [...together, ...telling]);
    if (together.length > 0 && refused.includes(0)) {
      // one of them was refused and stopped the rest: each by itself
      const each = alive.map((_id) => ({ updateOne: { filter: { _id }, update: contact } }));
      return this.hear([], {}, [...each, ...telling]);
    }
    const bottles = [...alive, ...telling.map(({ updateOne }) => updateOne.filter._id)];
    const refusedIds = refused.map((index) => bottles[index - together.length + alive.length]!.toHexString());
    return {
      refused: new Set(refusedIds),
      missing: matched + refused.length < bottles.length ? await this.findMissing(bottles) : new Set(),
    };
  }

  /**
   * What differs from bottle to bottle; may be applied in any order, and matches only where it is news.
   *
   * @returns the ids of the bottles of which the database refused a change.
   */
  async change(updates: StateUpdate[]): Promise<Set<string>> {
    const { refused } = await updateEach(this.states.collection, updates);
    return new Set(refused.map((index) => updates[index]!.updateOne.filter._id.toHexString()));
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
