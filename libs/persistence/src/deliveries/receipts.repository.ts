import { type DeliveryResult, isSummarized, type Receipt } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { unclaimed } from '../database/claim.js';
import { Delivery } from './delivery.schema.js';
import { toDeliveryUpdate } from './delivery-update.js';

/** So many of the receipts of a notification are kept, the newest. */
const MOST_RECEIPTS = 20;
/** Those that change a notification that was delivered. */
const BAD: readonly Receipt['state'][] = ['failed', 'refused'];

/** Receipts of networks for what was sent, and what follows from them. */
@Injectable()
export class ReceiptsRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  /** Stores a receipt; it is due if it changes what becomes of its notification. Null if there is none. */
  note(id: string, receipt: Receipt): Promise<Delivery | null> {
    const isPending = { $cond: [{ $eq: ['$status', 'pending'] }, receipt.at, '$receipt_due_at'] };
    const all = { $concatArrays: [{ $ifNull: ['$receipts', []] }, [{ $literal: receipt }]] };
    return this.deliveries
      .findOneAndUpdate(
        { _id: id },
        [
          {
            $set: {
              receipts: { $slice: [all, -MOST_RECEIPTS] },
              receipt_due_at: BAD.includes(receipt.state) ? receipt.at : isPending,
            },
          },
        ],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean<Delivery>();
  }

  /** Notifications with a due receipt, longest due first; without those that are being sent. */
  findDue(now: Date, limit: number): Promise<Delivery[]> {
    return this.deliveries
      .find({ receipt_due_at: { $lte: now }, $or: unclaimed('claim', now) })
      .hint('receipt_due')
      .sort({ receipt_due_at: 1 })
      .limit(limit)
      .lean<Delivery[]>();
  }

  /** What was sent as one message with a notification, itself included, and is still delivered. */
  async findSentTogether(delivery: Delivery): Promise<Delivery[]> {
    const { recipient, channel, event, told_at } = delivery;
    if (!isSummarized(delivery) || told_at === undefined) return [delivery];
    return this.deliveries
      .find({ recipient, channel, told_at, event, status: 'delivered' })
      .hint('told_lately')
      .lean<Delivery[]>();
  }

  /** Records what a receipt makes of a notification, unless that has changed since it was read. */
  async record({ _id, status, attempts }: Delivery, result: DeliveryResult, now: Date): Promise<void> {
    const update = toDeliveryUpdate(result, attempts.length - 1) as {
      $set: Record<string, unknown>;
      $unset: Record<string, unknown>;
    };
    const { $set, $unset } = update;
    const isOwedAgain = result.kind === 'retry' || result.kind === 'refused';
    await this.deliveries.updateOne(
      {
        _id,
        status,
        [`attempts.${attempts.length - 1}.at`]: attempts.at(-1)!.at,
        [`attempts.${attempts.length}`]: { $exists: false },
        $or: unclaimed('claim', now),
      },
      {
        $set: { ...(isOwedAgain && { status: 'pending' }), ...$set },
        $unset: { ...$unset, ...(result.kind !== 'delivered' && { told_at: '', told_to: '' }) },
      },
    );
  }

  /** Keeps why the receipts cannot be read. @param error 500 characters of it are kept */
  async quarantine({ _id }: Delivery, error: string, at: Date): Promise<void> {
    const receipts_set_aside = { error: error.slice(0, 500), at };
    await this.deliveries.updateOne({ _id }, { $set: { receipts_set_aside } });
  }

  /** Nothing is left to do about the receipts that were due then. */
  async settle({ _id, receipt_due_at, receipts = [] }: Delivery): Promise<void> {
    // one that has come meanwhile is due
    await this.deliveries.updateOne(
      { _id, receipt_due_at, receipts: { $size: receipts.length } },
      { $unset: { receipt_due_at: '' } },
    );
  }
}
