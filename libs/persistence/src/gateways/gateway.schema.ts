import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';

/** A home hub or a vendor's cloud, which reports for the bottles that name it in `gateway_ids`. */
@Schema({ collection: 'gateways', versionKey: false, autoIndex: false, autoCreate: false })
export class Gateway {
  _id: Types.ObjectId;

  @Prop({ type: String, required: true })
  name: string;

  /** SHA-256 of its token, hex. */
  @Prop({ type: String, required: true })
  token_hash: string;

  /** Hashes of the last tokens that were taken from it: one that still comes is told so. */
  @Prop({ type: [String], default: [] })
  revoked_token_hashes: string[];

  @Prop({ type: Date, required: true })
  created_at: Date;

  /** Since then it has no token, and gets none. */
  @Prop({ type: Date })
  revoked_at?: Date;
}

export const GatewaySchema = SchemaFactory.createForClass(Gateway);

// The token check of every batch.
GatewaySchema.index({ token_hash: 1 }, { name: 'find_by_token', unique: true });
// A gateway that still uses a token that was taken from it is told "revoked" and not "unknown".
GatewaySchema.index({ revoked_token_hashes: 1 }, { name: 'find_by_revoked_token' });
