import { groupBy, SAME_ELSEWHERE } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { NO_CANARY } from '../canaries/canaries.js';
import { unclaimed } from '../database/claim.js';
import { Delivery } from './delivery.schema.js';

/** How a channel fares. */
export interface ChannelHealth {
  deliveredAt?: Date;
  failed: number;
}

const HEALTH_READ = 200;

/** What waits for the receivers of the channels, and how these fare. */
@Injectable()
export class ReceiversRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  /** For each channel since when its longest due notification is due, unless none is. A covered query per channel. */
  async findOldestDue(now: Date): Promise<Map<string, Date>> {
    const oldest = new Map<string, Date>();
    for (let channel = ''; ;) {
      const next = await this.deliveries
        .findOne(
          { channel: { $gt: channel }, next_attempt_at: { $lte: now } },
          { _id: 0, channel: 1, next_attempt_at: 1 },
        )
        .hint('due_by_channel')
        .sort({ channel: 1, next_attempt_at: 1 })
        .lean<Delivery>();
      if (!next) return oldest;
      ({ channel } = next);
      oldest.set(channel, next.next_attempt_at!);
    }
  }

  /**
   * For each channel when it last delivered one of the newest notifications, and how many of those that were created
   * since then are dead. Reads at most {@link HEALTH_READ} of each.
   */
  async findHealth(since: Date): Promise<Map<string, ChannelHealth>> {
    const newest = (filter: QueryFilter<Delivery>) =>
      this.deliveries
        .find(filter, { channel: 1, 'attempts.at': 1 })
        .hint('by_status')
        .sort({ created_at: -1, _id: -1 })
        .limit(HEALTH_READ)
        .lean<Pick<Delivery, 'channel' | 'attempts'>[]>();
    const [delivered, dead] = await Promise.all([
      newest({ status: 'delivered' }),
      newest({ status: 'dead', created_at: { $gte: since } }),
    ]);
    const health = new Map<string, ChannelHealth>();
    const of = (channel: string): ChannelHealth =>
      health.get(channel) ?? health.set(channel, { failed: 0 }).get(channel)!;
    for (const { channel, attempts } of delivered) {
      const at = attempts.at(-1)?.at;
      const { deliveredAt } = of(channel);
      if (at && (!deliveredAt || at > deliveredAt)) of(channel).deliveredAt = at;
    }
    for (const { channel } of dead) of(channel).failed += 1;
    return health;
  }

  /** Whether something waits for the receiver of a channel that was not available. */
  async awaitsReceiver(channel: string, now: Date): Promise<boolean> {
    return (await this.deliveries.exists(awaitingReceiver(channel, now)).hint('awaits_receiver')) !== null;
  }

  /**
   * Makes due what waits for the receiver of a channel, longest waiting first: `perSecond` now, and as many in each
   * further second.
   *
   * @returns how many were found.
   */
  async bringForward(
    channel: string,
    now: Date,
    { limit, perSecond }: { limit: number; perSecond: number },
  ): Promise<number> {
    const awaiting = awaitingReceiver(channel, now);
    const found = await this.deliveries
      .find(awaiting, { _id: 1 })
      .hint('awaits_receiver')
      .sort({ retry_early_from: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>();
    await this.makeDue(
      found.map(({ _id }) => _id),
      { filter: awaiting, set: { early: true }, now, perSecond },
    );
    return found.length;
  }

  /**
   * Makes due what failed and waits for its next attempt, longest waiting first, at the same limited rate. Leaves what
   * waits for another reason, such as quiet hours.
   *
   * @returns what it made due.
   */
  async sendPending(
    now: Date,
    { limit, perSecond }: { limit: number; perSecond: number },
  ): Promise<Pick<Delivery, '_id' | 'bottle_id'>[]> {
    const filter = {
      status: 'pending' as const,
      'attempts.0': { $exists: true },
      reason: { $exists: false },
      bottle_id: NO_CANARY,
      $or: unclaimed('claim', now),
    };
    const found = await this.deliveries
      .find({ ...filter, next_attempt_at: { $gt: now } }, { bottle_id: 1 })
      .hint('by_status')
      .sort({ created_at: 1, _id: 1 })
      .limit(limit)
      .lean<Pick<Delivery, '_id' | 'bottle_id'>[]>();
    await this.makeDue(
      found.map(({ _id }) => _id),
      { filter, set: {}, now, perSecond },
    );
    return found;
  }

  /**
   * Makes due what failed and waits for its next attempt, and what waits for the same elsewhere, of bottles whose contact
   * has changed: it may go to another address. The attempt is early (MSG-16).
   */
  async sendAgain(bottleIds: readonly Types.ObjectId[], now: Date): Promise<void> {
    if (bottleIds.length === 0) return;
    await this.deliveries
      .updateMany(
        {
          bottle_id: { $in: bottleIds },
          status: 'pending',
          next_attempt_at: { $gt: now },
          $and: [
            { $or: unclaimed('claim', now) },
            {
              $or: [
                { reason: { $exists: false }, 'attempts.0': { $exists: true } },
                { reason: SAME_ELSEWHERE },
              ],
            },
          ],
        },
        { $set: { next_attempt_at: now, early: true }, $unset: { retry_early_from: '' } },
      )
      .hint('by_bottle_and_time');
  }

  /** Makes these due: `perSecond` now, and as many in each further second. */
  private async makeDue(
    ids: string[],
    { filter, set, now, perSecond }: { filter: object; set: object; now: Date; perSecond: number },
  ): Promise<void> {
    if (ids.length === 0) return;
    const groups = Array.from({ length: Math.ceil(ids.length / perSecond) }, (_, second) => ({
      next_attempt_at: new Date(now.getTime() + second * 1_000),
      group: ids.slice(second * perSecond, (second + 1) * perSecond),
    }));
    await this.deliveries.collection.bulkWrite(
      groups.map(({ next_attempt_at, group }) => ({
        updateMany: {
          // one that was claimed meanwhile waits no longer
          filter: { ...filter, _id: { $in: group as never[] } },
          update: { $set: { next_attempt_at, ...set }, $unset: { retry_early_from: '' } } as never,
        },
      })),
      { ordered: false },
    );
  }

  /** When these recipients were sent something over a channel since then, oldest first. A covered query. */
  async findSentSince(channel: string, recipients: string[], since: Date): Promise<Map<string, Date[]>> {
    const found = await this.deliveries
      .find(
        { recipient: { $in: recipients }, channel, told_at: { $gt: since } },
        { _id: 0, recipient: 1, told_at: 1 },
      )
      .sort({ told_at: 1 })
      .lean<Pick<Delivery, 'recipient' | 'told_at'>[]>();
    const sent = new Map<string, Date[]>();
    for (const { recipient, told_at } of found)
      if (!sent.get(recipient)?.push(told_at!)) sent.set(recipient, [told_at!]);
    return sent;
  }

  /** When these numbers were sent something since then, oldest first. A covered query. */
  async findSentToSince(numbers: string[], since: Date): Promise<Map<string, Date[]>> {
    const found = await this.deliveries
      .find({ told_to: { $in: numbers }, told_at: { $gt: since } }, { _id: 0, told_to: 1, told_at: 1 })
      .hint('told_to_lately')
      .sort({ told_at: 1 })
      .lean<Pick<Delivery, 'told_to' | 'told_at'>[]>();
    const sent = groupBy(found, ({ told_to }) => told_to!);
    return new Map([...sent].map(([number, all]) => [number, all.map(({ told_at }) => told_at!)]));
  }
}

/** Without those of canaries: the watchdogs are other receivers. */
function awaitingReceiver(channel: string, now: Date): object {
  return { channel, retry_early_from: { $lte: now }, bottle_id: NO_CANARY };
}
