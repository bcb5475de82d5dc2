import type { AlertKind, NotificationEvent } from '#domain';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { Claim } from '../database/claim.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** As lists filter them; `held`: pending, and waiting for something else than its next attempt. */
export const DELIVERY_FILTERS = [...DELIVERY_STATUSES, 'held'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

/** One attempt to deliver, recorded when it begins, and its result. */
export interface Attempt {
  /** When it began. */
  at: Date;
  ok: boolean;
  /** HTTP status, when there was an answer. */
  status?: number;
  error?: string;
  /** It failed before anything was sent: the message certainly did not arrive. */
  unsent?: true;
  /** It began before its backoff was over, because the receiver answered again. */
  early?: true;
}

/** One person and a channel to them. */
export interface Address {
  /** `operator`, `user:ID` or `carer:ID`. */
  recipient: string;
  channel: string;
}

/** The error of an attempt that has no result, or none yet. */
export const NO_RESULT = 'no result was recorded';

/**
 * One notification: one message to one recipient over one channel. It exists before the first attempt. `_id` is made
 * of alert, step and the first recipient and channel, and is sent along, so that a receiver can drop a repeat.
 */
@Schema({ collection: 'deliveries', versionKey: false, autoIndex: false, autoCreate: false })
export class Delivery {
  /** Hex, 32 characters. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Types.ObjectId, required: true })
  alert_id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  bottle_id: Types.ObjectId;

  @Prop({ type: String, required: true })
  kind: AlertKind;

  @Prop({ type: String, required: true })
  event: NotificationEvent;

  /** The event, and later the step of the escalation. */
  @Prop({ type: String, required: true })
  step: string;

  /** `operator`, `user:ID` or `carer:ID`. */
  @Prop({ type: String, required: true })
  recipient: string;

  @Prop({ type: String, required: true })
  channel: string;

  /** Where it was to go before, first to last: nobody was reached there any more when it was to be sent. */
  @Prop({ type: [Object], default: undefined })
  moved_from?: Address[];

  @Prop({ type: String, required: true, enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  /** Why it was cancelled, is dead, or was postponed since its last attempt. */
  @Prop({ type: String })
  reason?: string;

  @Prop({ type: [Object], default: [] })
  attempts: Attempt[];

  /** The attempts before staff replayed it, or before it was moved to another address. */
  @Prop({ type: [Object], default: undefined })
  earlier_attempts?: Attempt[];

  /** Present while pending; while claimed, the end of the lease. */
  @Prop({ type: Date })
  next_attempt_at?: Date;

  /**
   * Present while it waits for its backoff because the receiver was not available: from this time on it is sent as soon
   * as the receiver answers again.
   */
  @Prop({ type: Date })
  retry_early_from?: Date;

  /** It is due before its backoff is over: the receiver answers again. */
  @Prop({ type: Boolean })
  early?: true;

  /** It was delayed by its recipient's limit; that happens once. */
  @Prop({ type: Boolean })
  throttled?: true;

  /** When it was sent to a person. Absent for the operator's notifications, which are not throttled. */
  @Prop({ type: Date })
  told_at?: Date;

  @Prop({ type: Object })
  claim?: Claim;

  @Prop({ type: Date, required: true })
  created_at: Date;
}

export const DeliverySchema = SchemaFactory.createForClass(Delivery);

const NINETY_DAYS_S = 90 * 24 * 60 * 60;

// One notification a step, recipient and channel; and an alert's notifications.
DeliverySchema.index(
  { alert_id: 1, step: 1, recipient: 1, channel: 1 },
  { name: 'one_message', unique: true },
);
// Due notifications, by channel: no channel waits for another.
DeliverySchema.index(
  { channel: 1, next_attempt_at: 1 },
  { name: 'due_by_channel', partialFilterExpression: { next_attempt_at: { $exists: true } } },
);
// What waits for a receiver that was not available.
DeliverySchema.index(
  { channel: 1, retry_early_from: 1 },
  { name: 'awaits_receiver', partialFilterExpression: { retry_early_from: { $exists: true } } },
);
// Recently sent to a person, for the throttle.
DeliverySchema.index(
  { recipient: 1, channel: 1, told_at: 1 },
  { name: 'told_lately', partialFilterExpression: { told_at: { $exists: true } } },
);
// The staff's lists, newest first.
DeliverySchema.index({ status: 1, created_at: -1, _id: -1 }, { name: 'by_status' });
DeliverySchema.index({ created_at: -1, _id: -1 }, { name: 'by_time' });
// What is held, newest first: it waits for something else than its next attempt.
DeliverySchema.index(
  { created_at: -1, _id: -1 },
  { name: 'held', partialFilterExpression: { status: 'pending', reason: { $exists: true } } },
);
// A bottle's, newest first; of several bottles, merged.
DeliverySchema.index({ bottle_id: 1, created_at: -1, _id: -1 }, { name: 'by_bottle_and_time' });
// Which alerts have a dead notification.
DeliverySchema.index(
  { alert_id: 1, status: 1 },
  { name: 'dead_by_alert', partialFilterExpression: { status: 'dead' } },
);
// Kept for 90 days.
DeliverySchema.index({ created_at: 1 }, { name: 'TTL', expireAfterSeconds: NINETY_DAYS_S });
