import { QUIET_HOURS } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { countByMinute, type MinuteCount } from '../database/count-by-minute.js';
import { ofAlerts, type OwnersPart } from '../database/owners-part.js';
import { Delivery } from './delivery.schema.js';
import { ANEW } from './delivery-update.js';

/** Notifications as records: by id, of alerts and of bottles. */
@Injectable()
export class DeliveriesRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  findById(id: string): Promise<Delivery | null> {
    return this.deliveries.findById(id).lean<Delivery>();
  }

  /** The notifications about these alerts, in the order in which they were created. */
  findByAlerts(alertIds: Types.ObjectId[]): Promise<Delivery[]> {
    return this.deliveries
      .find({ alert_id: { $in: alertIds } })
      .sort({ created_at: 1, _id: 1 })
      .lean<Delivery[]>();
  }

  /** How many dead notifications these alerts have, by the alert's id; alerts without one are absent. */
  async countDead(alertIds: Types.ObjectId[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    if (alertIds.length === 0) return counts;
    const dead = await this.deliveries
      .find({ alert_id: { $in: alertIds }, status: 'dead' }, { _id: 0, alert_id: 1 })
      .hint('dead_by_alert')
      .lean<Pick<Delivery, 'alert_id'>[]>();
    for (const { alert_id } of dead) {
      const key = alert_id.toHexString();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  /** Makes due what waits in quiet hours of alerts that quiet hours do not defer any more. */
  async passQuietHours(alertIds: readonly Types.ObjectId[], now: Date): Promise<void> {
    if (alertIds.length === 0) return;
    await this.deliveries.updateMany(
      { alert_id: { $in: [...alertIds] }, status: 'pending', reason: QUIET_HOURS },
      { $set: { next_attempt_at: now }, $unset: { reason: '' } },
    );
  }

  /** Replays a dead notification now, with all attempts; the earlier ones stay on record. Null when it is not dead. */
  replay(id: string, now: Date): Promise<Delivery | null> {
    return this.deliveries
      .findOneAndUpdate(
        { _id: id, status: 'dead' },
        [
          {
            $set: {
              status: 'pending',
              next_attempt_at: now,
              ...ANEW,
            },
          },
          { $unset: 'reason' },
        ],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean<Delivery>();
  }

  /** How many notifications were created in [from, to), by minute and status. */
  countByMinute(from: Date, to: Date): Promise<MinuteCount[]> {
    const counted = { time: 'created_at', key: 'status', hint: 'by_time', byBottle: 'by_bottle_and_time' };
    return countByMinute(this.deliveries.collection, counted, from, to);
  }

  /** All notifications of a bottle without their claims, oldest first, as a stream: for an export. */
  ofBottle(bottleId: Types.ObjectId, part?: OwnersPart): AsyncIterable<Omit<Delivery, 'claim'>> {
    return this.deliveries.collection
      .find<Omit<Delivery, 'claim'>>({ bottle_id: bottleId, ...ofAlerts(part) }, { projection: { claim: 0 } })
      .hint('by_bottle_and_time')
      .sort({ created_at: 1 });
  }

  countOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<number> {
    return this.deliveries.countDocuments({ bottle_id: bottleId, ...ofAlerts(part) });
  }

  async deleteOfBottle(bottleId: Types.ObjectId, part?: OwnersPart): Promise<void> {
    await this.deliveries.deleteMany({ bottle_id: bottleId, ...ofAlerts(part) });
  }
}
