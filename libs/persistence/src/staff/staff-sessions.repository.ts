import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';

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

  /** Where the person signed in. Absent if an earlier version wrote it. */
  @Prop({ type: String })
  address?: string;

  /** The end unless there is activity, which puts it off. */
  @Prop({ type: Date, required: true })
  expires_at: Date;

  /** Of a second factor that the person is setting up, encrypted with SECOND_FACTOR_KEY. */
  @Prop({ type: String })
  new_secret?: string;
}

export const StaffSessionSchema = SchemaFactory.createForClass(StaffSession);

// The session check of every request, some requests at a time.
StaffSessionSchema.index({ token_hash: 1 }, { name: 'find_by_token', unique: true });
// A person's sessions, to end them.
StaffSessionSchema.index({ staff_id: 1 }, { name: 'by_staff' });
// Those that have expired, to delete them: by our clock, not by the server's.
StaffSessionSchema.index({ expires_at: 1 }, { name: 'expired' });

/** Every query on `staff_sessions`. */
@Injectable()
export class StaffSessionsRepository {
  constructor(@InjectModel(StaffSession.name) private readonly sessions: Model<StaffSession>) {}

  async insert(session: StaffSession): Promise<void> {
    await this.sessions.create(session);
  }

  /** The sessions of these cookies' tokens that have not expired. */
  findByTokens(tokenHashes: string[], now: Date): Promise<StaffSession[]> {
    return this.sessions
      .find({ token_hash: { $in: tokenHashes }, expires_at: { $gt: now } })
      .lean<StaffSession[]>();
  }

  /** A person's sessions that have not expired, newest first. */
  findOfStaff(staffId: Types.ObjectId, now: Date): Promise<StaffSession[]> {
    return this.sessions
      .find({ staff_id: staffId, expires_at: { $gt: now } })
      .sort({ created_at: -1, _id: -1 })
      .lean<StaffSession[]>();
  }

  async extend(id: Types.ObjectId, until: Date): Promise<void> {
    await this.sessions.updateOne({ _id: id }, { $max: { expires_at: until } });
  }

  async findNewSecret(id: Types.ObjectId): Promise<string | undefined> {
    const session = await this.sessions.findById(id, { new_secret: 1 }).lean<StaffSession>();
    return session?.new_secret;
  }

  async setNewSecret(id: Types.ObjectId, new_secret: string | undefined): Promise<void> {
    await this.sessions.updateOne(
      { _id: id },
      new_secret ? { $set: { new_secret } } : { $unset: { new_secret: '' } },
    );
  }

  async delete(id: Types.ObjectId): Promise<void> {
    await this.sessions.deleteOne({ _id: id });
  }

  async deleteByToken(tokenHash: string): Promise<void> {
    await this.sessions.deleteOne({ token_hash: tokenHash });
  }

  /** Signs a person out everywhere, or everywhere but in one session. */
  async deleteOfStaff(staffId: Types.ObjectId, except?: Types.ObjectId): Promise<void> {
    await this.sessions.deleteMany({ staff_id: staffId, ...(except ? { _id: { $ne: except } } : {}) });
  }

  /** Ends a person's sessions but the `kept` newest. */
  async deleteOldest(staffId: Types.ObjectId, kept: number): Promise<void> {
    const oldest = await this.sessions
      .find({ staff_id: staffId }, { _id: 1 })
      .sort({ created_at: -1, _id: -1 })
      .skip(kept)
      .lean<Pick<StaffSession, '_id'>[]>();
    if (oldest.length > 0) await this.sessions.deleteMany({ _id: { $in: oldest.map(({ _id }) => _id) } });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.sessions.deleteMany({ expires_at: { $lte: now } });
  }
}
