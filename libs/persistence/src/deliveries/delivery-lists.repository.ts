import { groupBy } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { NO_CANARY } from '../canaries/canaries.js';
import { type HistoryRange, newestFirst } from '../database/history.js';
import { behind } from '../database/keyset.js';
import { type TimeBounds, within } from '../database/time-bounds.js';
import { Delivery, type DeliveryFilter } from './delivery.schema.js';

/** A page of deliveries, by their creation, newest first. */
export interface DeliveryPage extends TimeBounds {
  status?: DeliveryFilter;
  alert_id?: Types.ObjectId;
  channel?: string | undefined;
  before?: { time: Date; id: string } | undefined;
  limit: number;
}

/** The lists of notifications that staff read. */
@Injectable()
export class DeliveryListsRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  /** A bottle's notifications, newest first. */
  findHistory(bottleId: Types.ObjectId, range: HistoryRange<string>): Promise<Delivery[]> {
    return newestFirst(this.deliveries, { field: 'created_at', hint: 'by_bottle_and_time' }, bottleId, range);
  }

  /** A page of the notifications about several bottles, newest first. Each bottle's are a range of the index. */
  findPageOfBottles(
    bottleIds: Types.ObjectId[],
    { status, before, limit, ...range }: Omit<DeliveryPage, 'alert_id' | 'channel'>,
  ): Promise<Delivery[]> {
    const ofEach = bottleIds.flatMap((bottle_id): QueryFilter<Delivery>[] => {
      const filter = behind<Delivery>(
        { bottle_id, ...ofStatus(status), ...within<Delivery>('created_at', range) },
        'created_at',
        before,
      );
      return (filter.$or ?? [filter]) as QueryFilter<Delivery>[];
    });
    return this.findNewest(ofEach, limit);
  }

  /** A page of the notifications about these alerts, newest first. */
  findPageOfAlerts(
    alertIds: Types.ObjectId[],
    { status, before, limit, ...range }: Omit<DeliveryPage, 'alert_id' | 'channel'>,
  ): Promise<Delivery[]> {
    if (alertIds.length === 0) return Promise.resolve([]);
    const of = behind<Delivery>(
      { alert_id: { $in: alertIds }, ...ofStatus(status), ...within<Delivery>('created_at', range) },
      'created_at',
      before,
    );
    return this.findNewest([of], limit);
  }

  /** What was to be sent about these alerts, by the alert's id in hex; by `one_message`. */
  async findOfAlerts(
    alertIds: readonly Types.ObjectId[],
  ): Promise<Map<string, Pick<Delivery, 'alert_id' | 'recipient' | 'event' | 'status' | 'created_at'>[]>> {
    const found = await this.deliveries
      .find(
        { alert_id: { $in: [...alertIds] } },
        { _id: 0, alert_id: 1, recipient: 1, event: 1, status: 1, created_at: 1 },
      )
      .hint('one_message')
      .lean<Delivery[]>();
    return groupBy(found, ({ alert_id }) => alert_id.toHexString());
  }

  private async findNewest(branches: QueryFilter<Delivery>[], limit: number): Promise<Delivery[]> {
    if (branches.length === 0) return [];
    return this.deliveries
      .find({ $or: branches })
      .sort({ created_at: -1, _id: -1 })
      .limit(limit)
      .lean<Delivery[]>();
  }

  /** A page of notifications, newest first, by status, channel or of an alert; without those of canaries unless it is of one. */
  findPage({ status, alert_id, channel, before, limit, ...range }: DeliveryPage): Promise<Delivery[]> {
    const filter = {
      ...ofStatus(status),
      ...(channel !== undefined && { channel }),
      ...(alert_id ? { alert_id } : { bottle_id: NO_CANARY }),
      ...within<Delivery>('created_at', range),
    };
    const page = this.deliveries
      .find(behind<Delivery>(filter, 'created_at', before))
      .sort({ created_at: -1, _id: -1 })
      .limit(limit);
    // an alert has few notifications: sorting them is cheaper than scanning by time
    if (alert_id) return page.hint('one_message').lean<Delivery[]>();
    if (channel?.startsWith('webhook:')) return page.hint('by_endpoint').lean<Delivery[]>();
    return (status === 'held' ? page.hint('held') : page).lean<Delivery[]>();
  }
}

function ofStatus(status: DeliveryFilter | undefined): QueryFilter<Delivery> {
  if (status === 'held') return { status: 'pending', reason: { $exists: true } };
  return status ? { status } : {};
}
