import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Bottle } from './bottle.schema.js';

/** Part of each update that changes what a report needs to know of its bottle. */
export const IDENTITY_CHANGED = { $currentDate: { identity_changed_at: true } } as const;

/** A bottle of which that changed, and when. */
export type ChangedBottle = Required<Pick<Bottle, '_id' | 'identity_changed_at'>>;

/** What changed in the registry: queries on `bottles`, by `find_changed`. */
@Injectable()
export class ChangedBottlesRepository {
  constructor(@InjectModel(Bottle.name) private readonly bottles: Model<Bottle>) {}

  /** Those that changed at or after `since`, oldest first. */
  findSince(since: Date, limit: number): Promise<ChangedBottle[]> {
    return this.find({ $gte: since }, 1, limit);
  }

  /** When one changed last; undefined when none ever did. */
  async findNewest(): Promise<Date | undefined> {
    const [newest] = await this.find({ $exists: true }, -1, 1);
    return newest?.identity_changed_at;
  }

  private find(when: object, order: 1 | -1, limit: number): Promise<ChangedBottle[]> {
    return this.bottles
      .find({ identity_changed_at: when }, { identity_changed_at: 1 })
      .sort({ identity_changed_at: order })
      .limit(limit)
      .hint('find_changed')
      .lean<ChangedBottle[]>();
  }
}
