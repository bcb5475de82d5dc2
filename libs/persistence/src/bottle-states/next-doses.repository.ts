import { onNextDose } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BOTTLE_STATE, type StoredBottleState } from './bottle-state.schema.js';
import { toUpdate, whereStill } from './state-update.js';

/** A bottle whose next dose was at that time. */
export interface PassedDose {
  _id: Types.ObjectId;
  next_dose_at: Date;
}

/** The next doses of the fleet, for lists. */
@Injectable()
export class NextDosesRepository {
  constructor(@InjectModel(BOTTLE_STATE) private readonly states: Model<StoredBottleState>) {}

  /** Bottles whose next dose has passed, or whose schedule has changed; longest ago first. */
  findPassed(now: Date, limit: number): Promise<PassedDose[]> {
    return this.states
      .find({ next_dose_at: { $lte: now } }, { next_dose_at: 1 })
      .hint('by_next_dose')
      .sort({ next_dose_at: 1, _id: 1 })
      .limit(limit)
      .lean<PassedDose[]>();
  }

  /** Writes the doses that follow, each unless its schedule has changed meanwhile. */
  async replace(doses: readonly { passed: PassedDose; next: Date | undefined }[]): Promise<void> {
    if (doses.length === 0) return;
    const operations = doses.map(({ passed: { _id, next_dose_at }, next }) => ({
      updateOne: { filter: { _id, ...whereStill({ next_dose_at }) }, update: toUpdate(onNextDose(next)) },
    }));
    await this.states.collection.bulkWrite(operations, { ordered: false });
  }
}
