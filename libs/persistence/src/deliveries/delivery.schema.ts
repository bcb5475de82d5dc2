import type { AlertKind } from '#domain';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { Claim } from '../database/claim.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const MESSAGE_EVENTS = ['raised', 'escalated', 'missed', 'resolved', 'retracted'] as const;
/** What a message says of its alert. */
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];

/** The events that tell of a trouble; the others tell of its end. */
export const TELLING_EVENTS: readonly MessageEvent[] = ['raised', 'escalated'];

/** One try to deliver, and how it went. */
export interface Attempt {
  at: Date;
  ok: boolean;
  /** HTTP status, when there was an answer. */
  status?: number;
  error?: string;
}

/**
 * One message to one recipient over one channel. It exists before the first attempt. `_id` is made of alert,
 * step, recipient and channel: it travels with the message, so that a receiver can drop a repeat.
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
  event: MessageEvent;

  /** The event, and later the step of the escalation. */
  @Prop({ type: String, required: true })
  step: string;

  /** `operator`, `user:ID` or `carer:ID`. */
  @Prop({ type: String, required: true })
  recipient: string;

  @Prop({ type: String, required: true })
  channel: string;

  @Prop({ type: String, required: true, enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  /** Why it was cancelled, is dead, or was put off last. */
  @Prop({ type: String })
  reason?: string;

  @Prop({ type: [Object], default: [] })
  attempts: Attempt[];

  /** Those made before staff had a dead message sent again. */
  @Prop({ type: [Object], default: undefined })
  earlier_attempts?: Attempt[];

  /** Present while pending; while a notifier has it, when its lease ends. */
  @Prop({ type: Date })
  next_attempt_at?: Date;

  /** It has waited because its recipient had been told much already; it does not wait for that again. */
  @Prop({ type: Boolean })
  throttled?: true;

  /** When a person was told. Absent for the operator's messages, which are not throttled. */
  @Prop({ type: Date })
  told_at?: Date;

  @Prop({ type: Object })
  claim?: Claim;

  @Prop({ type: Date, required: true })
  created_at: Date;
}

export const DeliverySchema = SchemaFactory.createForClass(Delivery);

const NINETY_DAYS_S = 90 * 24 * 60 * 60;

// One message a step, recipient and channel; and an alert's messages.
DeliverySchema.index(
  { alert_id: 1, step: 1, recipient: 1, channel: 1 },
  { name: 'one_message', unique: true },
);
// What is due to be sent, by channel: none waits for another.
DeliverySchema.index(
  { channel: 1, next_attempt_at: 1 },
  { name: 'due_by_channel', partialFilterExpression: { next_attempt_at: { $exists: true } } },
);
// What a person was told lately, for the throttle.
DeliverySchema.index(
  { recipient: 1, channel: 1, told_at: 1 },
  { name: 'told_lately', partialFilterExpression: { told_at: { $exists: true } } },
);
// The staff's lists, newest first.
DeliverySchema.index({ status: 1, created_at: -1, _id: -1 }, { name: 'by_status' });
DeliverySchema.index({ created_at: -1, _id: -1 }, { name: 'by_time' });
DeliverySchema.index({ bottle_id: 1, created_at: -1 }, { name: 'by_bottle' });
// Which alerts have a message that could not be delivered.
DeliverySchema.index(
  { alert_id: 1, status: 1 },
  { name: 'dead_by_alert', partialFilterExpression: { status: 'dead' } },
);
// Kept for 90 days.
DeliverySchema.index({ created_at: 1 }, { name: 'TTL', expireAfterSeconds: NINETY_DAYS_S });
