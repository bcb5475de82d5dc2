import {
  type Address,
  type AlertKind,
  type Attempt,
  type Delivery as DomainDelivery,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type NotificationEvent,
  type Receipt,
} from '#domain';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { Claim } from '../database/claim.js';

/** As lists filter them; `held`: pending, and waiting for something else than its next attempt. */
export const DELIVERY_FILTERS = [...DELIVERY_STATUSES, 'held'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

/** A notification as it is stored: the domain's, see there for each field. */
@Schema({ collection: 'deliveries', versionKey: false, autoIndex: false, autoCreate: false })
export class Delivery implements DomainDelivery<Types.ObjectId> {
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

  @Prop({ type: String, required: true })
  step: string;

  @Prop({ type: String, required: true })
  recipient: string;

  @Prop({ type: String, required: true })
  channel: string;

  @Prop({ type: String })
  stands_for?: string;

  @Prop({ type: [Object], default: undefined })
  moved_from?: Address[];

  @Prop({ type: String, required: true, enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  @Prop({ type: String })
  reason?: string;

  @Prop({ type: [Object], default: [] })
  attempts: Attempt[];

  @Prop({ type: [Object], default: undefined })
  earlier_attempts?: Attempt[];

  @Prop({ type: [Object], default: undefined })
  receipts?: Receipt[];

  @Prop({ type: Date })
  receipt_due_at?: Date;

  /** Why its receipts could not be read. */
  @Prop({ type: Object, default: undefined })
  receipts_set_aside?: { error: string; at: Date };

  /** The replies by SMS that are about it, by the ids that the gateway gave them. */
  @Prop({ type: [String], default: undefined })
  replies?: string[];

  @Prop({ type: Date })
  next_attempt_at?: Date;

  @Prop({ type: Date })
  retry_early_from?: Date;

  @Prop({ type: Boolean })
  early?: true;

  @Prop({ type: Boolean })
  throttled?: true;

  @Prop({ type: Date })
  told_at?: Date;

  @Prop({ type: String })
  told_to?: string;

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
// Due calls for help, by channel: they wait for no backlog.
DeliverySchema.index(
  { channel: 1, next_attempt_at: 1 },
  {
    name: 'due_calls_by_channel',
    partialFilterExpression: { kind: 'help_requested', next_attempt_at: { $exists: true } },
  },
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
// Recently sent to a number, for its throttle.
DeliverySchema.index(
  { told_to: 1, told_at: 1 },
  { name: 'told_to_lately', partialFilterExpression: { told_to: { $exists: true } } },
);
// Receipts that change what becomes of a notification.
DeliverySchema.index(
  { receipt_due_at: 1 },
  { name: 'receipt_due', partialFilterExpression: { receipt_due_at: { $exists: true } } },
);
// The staff's lists, newest first.
DeliverySchema.index({ status: 1, created_at: -1, _id: -1 }, { name: 'by_status' });
DeliverySchema.index({ created_at: -1, _id: -1 }, { name: 'by_time' });
// Those of an endpoint of webhooks, newest first.
DeliverySchema.index(
  { channel: 1, created_at: -1, _id: -1 },
  { name: 'by_endpoint', partialFilterExpression: { channel: { $gt: 'webhook:' } } },
);
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
