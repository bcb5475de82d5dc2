import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Delivery } from './delivery.schema.js';

/** What was sent to numbers that people may reply to, and their replies. */
@Injectable()
export class RepliesRepository {
  constructor(@InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>) {}

  /**
   * The notifications that a number got after `since`, newest first, and those it may have got: an attempt was made, and
   * the gateway has not accepted it.
   */
  async findSentTo(number: string, since: Date): Promise<Delivery[]> {
    const [sent, pending] = await Promise.all([
      this.deliveries
        .find({ told_to: number, told_at: { $gt: since } })
        .hint('told_to_lately')
        .lean<Delivery[]>(),
      this.deliveries
        .find({ channel: 'sms', next_attempt_at: { $exists: true }, 'attempts.address': number })
        .hint('due_by_channel')
        .lean<Delivery[]>(),
    ]);
    const unsent = pending.filter(({ _id }) => !sent.some((one) => one._id === _id));
    return [...sent, ...unsent].toSorted(
      (one, other) => other.created_at.getTime() - one.created_at.getTime(),
    );
  }

  /** A reply, by the gateway's id of it, is about this notification: also when the gateway sends it again. */
  async noteReply(id: string, reply: string): Promise<void> {
    await this.deliveries.updateOne({ _id: id }, { $addToSet: { replies: reply } });
  }
}
