import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { COMPRESSED } from '../database/collection-options.js';

export type ActionName = 'opened' | 'closed';

/**
 * One open or close of a bottle: the lab's document, kept for ever. `_id` is made of the bottle and the
 * device's own name for the event (see `actionId`), so a retry collides and is recognised.
 * All times are UTC.
 */
@Schema({
  collection: 'bottle_actions',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  collectionOptions: COMPRESSED,
})
export class BottleAction {
  _id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  bottle_id: Types.ObjectId;

  @Prop({ type: String, required: true })
  user_id: string;

  @Prop({ type: String, required: true })
  medication: string;

  /** Grams. Absent, as the count, if the bottle did not report it. */
  @Prop({ type: Number })
  mass_of_contents?: number;

  @Prop({ type: Number })
  number_of_pills?: number;

  /** When it happened (event time), corrected for the device's clock. */
  @Prop({ type: Date, required: true })
  time: Date;

  @Prop({ type: String, required: true, enum: ['opened', 'closed'] })
  action: ActionName;

  /** Only if `closed`: the pills removed while the bottle was open. */
  @Prop({ type: Number })
  pills_taken?: number;

  /** When we received it (receive time): decides liveness, never doses. */
  @Prop({ type: Date, required: true })
  received_at: Date;

  /** The device's own time, kept when `time` had to be corrected. */
  @Prop({ type: Date })
  device_time?: Date;

  /** The device's own name for the event, when it has one. */
  @Prop({ type: String })
  event_id?: string;

  /** The request that brought it, if it was traced (W3C Trace Context). */
  @Prop({ type: String })
  traceparent?: string;
}

export const BottleActionSchema = SchemaFactory.createForClass(BottleAction);

// The lab's query 1: a bottle's removals since two days ago, covered.
BottleActionSchema.index(
  { bottle_id: 1, action: 1, time: 1, pills_taken: 1, user_id: 1, medication: 1 },
  { name: 'find_missed_dosages' },
);
// The lab's query 2: a bottle's last action, covered.
BottleActionSchema.index(
  { bottle_id: 1, time: 1, action: 1, user_id: 1, medication: 1 },
  { name: 'find_open_bottles' },
);
// In the order of receipt, for the charts: they follow the log a minute at a time, whenever the events were.
BottleActionSchema.index({ received_at: 1 }, { name: 'by_receipt' });
