import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { type Role, ROLES } from '../api-keys/api-key.schema.js';

/** A person who signs in to the console. */
@Schema({ collection: 'staff', versionKey: false, autoIndex: false, autoCreate: false })
export class StaffAccount {
  _id: Types.ObjectId;

  /** Lower case: what the person signs in with. */
  @Prop({ type: String, required: true })
  email: string;

  /** Stands in the history of what the person does. */
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true, enum: ROLES })
  role: Role;

  /** argon2id, in its own textual form. */
  @Prop({ type: String, required: true })
  password_hash: string;

  /** May not sign in any more. */
  @Prop({ type: Boolean })
  disabled?: true;

  @Prop({ type: Date, required: true })
  created_at: Date;
}

export const StaffAccountSchema = SchemaFactory.createForClass(StaffAccount);

// Signing in; and one account an address.
StaffAccountSchema.index({ email: 1 }, { name: 'one_email', unique: true });
