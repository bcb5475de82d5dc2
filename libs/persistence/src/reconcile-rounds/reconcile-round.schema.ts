import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { Piece } from '../bottles/pieces.js';

/**
 * One walk of the reconcile through the fleet, in pieces that the notifiers take one by one. What is under way
 * outlives its notifiers: the next one to look goes on with it.
 */
@Schema({ collection: 'reconcile_rounds', versionKey: false, autoIndex: false, autoCreate: false })
export class ReconcileRound {
  _id: Types.ObjectId;

  @Prop({ type: Date, required: true })
  began_at: Date;

  /** Absent once every piece is done. */
  @Prop({ type: Boolean })
  under_way?: true;

  @Prop({ type: Date })
  finished_at?: Date;

  /** The `after` of each moves on with the walk, so that whoever takes it over goes on where it stopped. */
  @Prop({ type: [Object], required: true })
  pieces: Piece[];

  /** Bottles compared so far. */
  @Prop({ type: Number, required: true })
  bottles: number;

  /** States that differed from the log and were repaired. */
  @Prop({ type: Number, required: true })
  repaired: number;
}

export const ReconcileRoundSchema = SchemaFactory.createForClass(ReconcileRound);

// One round at a time, whatever number of notifiers begin one at the same second.
ReconcileRoundSchema.index(
  { under_way: 1 },
  { name: 'one_under_way', unique: true, partialFilterExpression: { under_way: true } },
);
