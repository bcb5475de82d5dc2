import type { Registered } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { NO_CANARY } from '../canaries/canaries.js';
import { LONG_COMMAND } from '../database/time-limits.js';
import { Bottle } from './bottle.schema.js';

/** How many bottles are registered, and since when. */
@Injectable()
export class RegisteredBottlesRepository {
  constructor(@InjectModel(Bottle.name) private readonly bottles: Model<Bottle>) {}

  /**
   * The bottles that were registered before `to`, by medication and by the month of their registration if that is not
   * before `from`. Reads the index `by_medication_and_registration`, and no document.
   */
  countByMedication(from: Date, to: Date): Promise<Registered[]> {
    return this.count({}, 'registered_at', from, to, 'by_medication_and_registration');
  }

  /** The same of bottles that are retired, by when they were. Reads the index `by_medication_and_retirement`. */
  countRetiredByMedication(from: Date, to: Date): Promise<Registered[]> {
    return this.count({ 'life.state': 'retired' }, 'life.since', from, to, 'by_medication_and_retirement');
  }

  private count(which: object, field: string, from: Date, to: Date, hint: string): Promise<Registered[]> {
    const isBefore = { $lt: [`$${field}`, from] };
    return this.bottles.collection
      .aggregate<Registered>(
        [
          // any medication: without bounds of the first field of the index the documents are read
          { $match: { ...which, medication: { $gte: '' }, [field]: { $lt: to }, _id: NO_CANARY } },
          {
            $group: {
              _id: {
                medication: '$medication',
                month: {
                  $cond: [isBefore, null, { $dateToString: { format: '%Y-%m', date: `$${field}` } }],
                },
              },
              bottles: { $sum: 1 },
              offset_ms: { $sum: { $cond: [isBefore, 0, { $subtract: [`$${field}`, from] }] } },
            },
          },
          {
            $project: {
              _id: 0,
              medication: '$_id.medication',
              month: '$_id.month',
              bottles: 1,
              offset_ms: { $toDouble: '$offset_ms' },
            },
          },
        ],
        { hint, ...LONG_COMMAND },
      )
      .toArray();
  }
}
