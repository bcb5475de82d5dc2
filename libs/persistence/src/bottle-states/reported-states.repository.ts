import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types, UpdateQuery } from 'mongoose';
import { updateEach } from '../database/write-each.js';
import { BottleState } from './bottle-state.schema.js';
import type { StateUpdate } from './state-updates.js';

/** Bottles that were heard at one moment, and what that changes. */
export interface Heard {
  bottles: Types.ObjectId[];
  update: UpdateQuery<BottleState>;
}

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
   * All bottles of a group were heard: one update for those that said no more than that at one moment, and one each
   * for those that did.
   *
   * @throws what concerns the whole group.
   */
  async hear(heard: Heard[], telling: StateUpdate[]): Promise<Unfollowed> {
    const together = heard.map(({ bottles, update }) => ({
      updateMany: { filter: { _id: { $in: bottles } }, update },
    }));
    const { matched, refused } = await updateEach(this.states.collection, [...together, ...telling]);
    if (refused.some((index) => index < together.length)) {
      // one of the bottles was refused and stopped the rest: each by itself
      const each = heard.flatMap(({ bottles, update }) =>
        bottles.map((_id) => ({ updateOne: { filter: { _id }, update } })),
      );
      return this.hear([], [...each, ...telling]);
    }
    const bottles = [
      ...heard.flatMap((one) => one.bottles),
      ...telling.map(({ updateOne }) => updateOne.filter._id),
    ];
    return {
      refused: new Set(
        refused.map((index) => telling[index - together.length]!.updateOne.filter._id.toHexString()),
      ),
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
