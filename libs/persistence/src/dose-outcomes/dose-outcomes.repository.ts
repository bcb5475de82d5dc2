import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { countByMinute, type MinuteCount } from '../database/count-by-minute.js';
import { newestFirst, type HistoryRange } from '../database/history.js';
import { DoseOutcome } from './dose-outcome.schema.js';

/** Every query on `dose_outcomes`. */
@Injectable()
export class DoseOutcomesRepository {
  constructor(@InjectModel(DoseOutcome.name) private readonly outcomes: Model<DoseOutcome>) {}

  /** Writes judgements; a slot that was judged before gets the new outcome. */
  async upsert(outcomes: Omit<DoseOutcome, '_id'>[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.outcomes.collection.bulkWrite(
      outcomes.map(({ bottle_id, scheduled_at, taken_at, ...rest }) => ({
        updateOne: {
          filter: { bottle_id, scheduled_at },
          update: {
            $set: { ...rest, ...(taken_at ? { taken_at } : {}) },
            ...(taken_at ? {} : { $unset: { taken_at: '' } }),
          },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  }

  /** The slots from `from` on of which a bottle has an outcome and that are not due any more. */
  async findAllBut(bottleId: Types.ObjectId, due: readonly Date[], from: Date): Promise<Date[]> {
    const found = await this.outcomes
      .find(
        { bottle_id: bottleId, scheduled_at: { $gte: from, $nin: [...due] } },
        { scheduled_at: 1, _id: 0 },
      )
      .lean<Pick<DoseOutcome, 'scheduled_at'>[]>();
    return found.map(({ scheduled_at }) => scheduled_at);
  }

  /** Deletes the outcomes of a bottle's doses of these slots. */
  async deleteSlots(bottleId: Types.ObjectId, slots: readonly Date[]): Promise<void> {
    await this.outcomes.deleteMany({ bottle_id: bottleId, scheduled_at: { $in: [...slots] } });
  }

  /** A bottle's outcomes with slots in [from, to), oldest first. */
  findBetween(bottleId: Types.ObjectId, from: Date, to: Date): Promise<DoseOutcome[]> {
    return this.outcomes
      .find({ bottle_id: bottleId, scheduled_at: { $gte: from, $lt: to } })
      .sort({ scheduled_at: 1 })
      .lean<DoseOutcome[]>();
  }

  /** A bottle's outcomes, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<DoseOutcome[]> {
    return newestFirst(this.outcomes, { field: 'scheduled_at', hint: 'one_outcome' }, bottleId, range);
  }

  /** How many doses of slots in [from, to) have each outcome, by minute; covered by `outcomes_by_time`. */
  countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    const counted = { time: 'scheduled_at', key: 'outcome', hint: 'outcomes_by_time' };
    return countByMinute(this.outcomes.collection, counted, from, to);
  }

  /** All outcomes of a bottle, oldest first, read as it is taken: for an export. */
  ofBottle(bottleId: Types.ObjectId): AsyncIterable<DoseOutcome> {
    return this.outcomes.collection
      .find<DoseOutcome>({ bottle_id: bottleId })
      .hint('one_outcome')
      .sort({ scheduled_at: 1 });
  }

  async deleteOfBottle(bottleId: Types.ObjectId): Promise<number> {
    return (await this.outcomes.deleteMany({ bottle_id: bottleId })).deletedCount;
  }
}
