import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { COMPRESSED } from '../database/collection-options.js';

/** One heartbeat: the lab's document and the bottle's vitals. Deleted after HEARTBEAT_RETENTION. */
@Schema({
  collection: 'bottle_heartbeats',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  collectionOptions: COMPRESSED,
})
export class BottleHeartbeat {
  _id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  bottle_id: Types.ObjectId;

  @Prop({ type: String, required: true })
  user_id: string;

  @Prop({ type: String, required: true })
  medication: string;

  /** The server's time at receipt: a heartbeat proves that the bottle was there then, and nothing else. */
  @Prop({ type: Date, required: true })
  time: Date;

  /** 0 to 100. */
  @Prop({ type: Number })
  battery_percent?: number;

  @Prop({ type: Number })
  rssi_dbm?: number;

  /** Grams. */
  @Prop({ type: Number })
  mass_of_contents?: number;

  @Prop({ type: Number })
  number_of_pills?: number;
}

export const BottleHeartbeatSchema = SchemaFactory.createForClass(BottleHeartbeat);

// The lab's query 3: a heartbeat within the last hour, covered.
BottleHeartbeatSchema.index(
  { bottle_id: 1, time: 1, user_id: 1, medication: 1 },
  { name: 'find_last_heartbeat' },
);
// Deletes what is older than HEARTBEAT_RETENTION (two weeks); the seconds are set when the index is made.
BottleHeartbeatSchema.index({ time: 1 }, { name: 'TTL', expireAfterSeconds: 1_209_600 });
