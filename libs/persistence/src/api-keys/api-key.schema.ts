import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';

export const ROLES = ['viewer', 'support', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** A program's key to support-api. */
@Schema({ collection: 'api_keys', versionKey: false, autoIndex: false, autoCreate: false })
export class ApiKey {
  _id: Types.ObjectId;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true, enum: ROLES })
  role: Role;

  /** SHA-256 of the key, hex. */
  @Prop({ type: String, required: true })
  key_hash: string;

  @Prop({ type: Date, required: true })
  created_at: Date;
}

export const ApiKeySchema = SchemaFactory.createForClass(ApiKey);

// The key check of every request.
ApiKeySchema.index({ key_hash: 1 }, { name: 'find_by_key', unique: true });
