import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { newestFirst, type HistoryRange } from '../database/history.js';
import { DoseOutcome } from './dose-outcome.schema.js';

/** Every query on `dose_outcomes`. */
@Injectable()
export class DoseOutcomesRepository {
  constructor(@InjectModel(DoseOutcome.name) private readonly outcomes: Model<DoseOutcome>) {}

  /** Writes judgements; a slot that was judged before gets the new outcome. */
  async upsert(outcomes: Omit<DoseOutcome, '_id'>[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.outcomes.bulkWrite(
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

  /** A bottle's outcomes with slots in [from, to), oldest first. */
  findBetween(bottleId: Types.ObjectId, from: Date, to: Date): Promise<DoseOutcome[]> {
    return this.outcomes
      .find({ bottle_id: bottleId, scheduled_at: { $gte: from, $lt: to } })
      .sort({ scheduled_at: 1 })
      .lean<DoseOutcome[]>();
  }

  /** A bottle's outcomes, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange): Promise<DoseOutcome[]> {
    return newestFirst<DoseOutcome>('scheduled_at', range, (filter) =>
      this.outcomes.find({ bottle_id: bottleId, ...filter }).lean<DoseOutcome[]>(),
    );
  }

  async deleteOfBottle(bottleId: Types.ObjectId): Promise<void> {
    await this.outcomes.deleteMany({ bottle_id: bottleId });
  }
}
