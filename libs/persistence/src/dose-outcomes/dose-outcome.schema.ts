import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { COMPRESSED } from '../database/compressed.js';
import type { DoseOutcome as DoseOutcomeName } from '#domain';

/** One scheduled dose and what became of it. */
@Schema({
  collection: 'dose_outcomes',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
  collectionOptions: COMPRESSED,
})
export class DoseOutcome {
  _id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  bottle_id: Types.ObjectId;

  /** The slot: the instant at which the dose was scheduled. */
  @Prop({ type: Date, required: true })
  scheduled_at: Date;

  @Prop({ type: String, required: true })
  outcome: DoseOutcomeName;

  /** When enough pills had been removed. */
  @Prop({ type: Date })
  taken_at?: Date;

  @Prop({ type: Number, required: true })
  pills_scheduled: number;

  @Prop({ type: Number, required: true })
  pills_taken: number;

  @Prop({ type: Date, required: true })
  judged_at: Date;
}

export const DoseOutcomeSchema = SchemaFactory.createForClass(DoseOutcome);

// One outcome a slot; and a bottle's doses in order of time.
DoseOutcomeSchema.index({ bottle_id: 1, scheduled_at: 1 }, { name: 'one_outcome', unique: true });
// How the doses of an hour went, of all bottles, for the charts.
DoseOutcomeSchema.index({ scheduled_at: 1, outcome: 1 }, { name: 'outcomes_by_time' });
