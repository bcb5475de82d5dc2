import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { ALERT, type AlertRecord } from '../alerts/alert.schema.js';
import { Delivery } from '../deliveries/delivery.schema.js';
import { CANARIES } from './canaries.js';

/** What only canaries have: a history that nobody reads, and that every page of a list would have to pass over. */
@Injectable()
export class CanariesRepository {
  constructor(
    @InjectModel(ALERT) private readonly alerts: Model<AlertRecord>,
    @InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>,
  ) {}

  /** Deletes the canaries' alerts that ended before a moment, and their notifications that were created before it. */
  async deleteBefore(moment: Date): Promise<void> {
    await this.alerts.deleteMany({
      bottle_id: CANARIES,
      ended_at: { $lt: moment },
      end_owed: { $exists: false },
    });
    await this.deliveries.deleteMany({
      bottle_id: CANARIES,
      created_at: { $lt: moment },
      status: { $ne: 'pending' },
    });
  }
}
