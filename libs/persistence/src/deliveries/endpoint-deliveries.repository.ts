import { type EndpointHold, heldReason } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { unclaimed } from '../database/claim.js';
import { type TimeBounds, within } from '../database/time-bounds.js';
import { Delivery } from './delivery.schema.js';
import { ANEW } from './delivery-update.js';

const HOLDS: readonly EndpointHold[] = ['paused', 'disabled'];

/** What is owed to single endpoints of webhooks, by their channels. */
@Injectable()
export class EndpointDeliveriesRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  /** How many notifications wait for an endpoint, whatever for. */
  countWaiting(channel: string): Promise<number> {
    return this.deliveries
      .countDocuments({ channel, next_attempt_at: { $exists: true } })
      .hint('due_by_channel');
  }

  /** Makes due what waits because the endpoint took nothing: it was paused, disabled, or did not answer. */
  async sendHeld(channel: string, now: Date): Promise<void> {
    await this.makeDue(
      channel,
      { $or: [{ reason: { $in: HOLDS.map(heldReason) } }, { reason: { $exists: false } }] },
      now,
    );
  }

  /** Makes due all that waits for an endpoint: it is deleted, or wants something else, and a notifier moves it on. */
  async checkAgain(channel: string, now: Date): Promise<void> {
    await this.makeDue(channel, {}, now);
  }

  /** The dead ones of an endpoint that were created within these bounds, oldest first. */
  findDead(
    channel: string,
    range: TimeBounds,
    limit: number,
  ): Promise<Pick<Delivery, '_id' | 'bottle_id' | 'created_at'>[]> {
    return this.deliveries
      .find(
        { status: 'dead', channel, ...within<Delivery>('created_at', range) },
        { bottle_id: 1, created_at: 1 },
      )
      .hint('by_status')
      .sort({ created_at: 1, _id: 1 })
      .limit(limit)
      .lean<Pick<Delivery, '_id' | 'bottle_id' | 'created_at'>[]>();
  }

  /** Replays these unless they were meanwhile: `perSecond` now, and as many in each further second. */
  async replayDead(ids: readonly string[], now: Date, perSecond: number): Promise<void> {
    for (let from = 0; from < ids.length; from += perSecond)
      await this.deliveries.updateMany(
        { _id: { $in: ids.slice(from, from + perSecond) }, status: 'dead' },
        [
          {
            $set: {
              status: 'pending',
              next_attempt_at: new Date(now.getTime() + (from / perSecond) * 1_000),
              ...ANEW,
            },
          },
          { $unset: 'reason' },
        ],
        { updatePipeline: true },
      );
  }

  private async makeDue(channel: string, which: object, now: Date): Promise<void> {
    await this.deliveries.collection.updateMany(
      { channel, next_attempt_at: { $gt: now }, $and: [which, { $or: unclaimed('claim', now) }] },
      { $set: { next_attempt_at: now }, $unset: { reason: '', retry_early_from: '' } },
      { hint: 'due_by_channel' },
    );
  }
}
