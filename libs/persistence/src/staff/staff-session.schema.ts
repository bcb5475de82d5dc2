import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';

/** Someone is signed in. */
@Schema({ collection: 'staff_sessions', versionKey: false, autoIndex: false, autoCreate: false })
export class StaffSession {
  _id: Types.ObjectId;

  @Prop({ type: Types.ObjectId, required: true })
  staff_id: Types.ObjectId;

  /** SHA-256 of the cookie's token, hex. */
  @Prop({ type: String, required: true })
  token_hash: string;

  @Prop({ type: Date, required: true })
  created_at: Date;

  @Prop({ type: Date, required: true })
  expires_at: Date;
}

export const StaffSessionSchema = SchemaFactory.createForClass(StaffSession);

// The session check of every request.
StaffSessionSchema.index({ token_hash: 1 }, { name: 'find_by_token', unique: true });
// A person's sessions, to end them.
StaffSessionSchema.index({ staff_id: 1 }, { name: 'by_staff' });
// Those that have expired, to delete them: by our clock, not by the server's.
StaffSessionSchema.index({ expires_at: 1 }, { name: 'expired' });
