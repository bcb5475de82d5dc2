import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { StaffSession } from './staff-session.schema.js';

/** Every query on `staff_sessions`. */
@Injectable()
export class StaffSessionsRepository {
  constructor(@InjectModel(StaffSession.name) private readonly sessions: Model<StaffSession>) {}

  async insert(session: StaffSession): Promise<void> {
    await this.sessions.create(session);
  }

  /** The session of a cookie's token, unless it has expired. */
  findByToken(tokenHash: string, now: Date): Promise<StaffSession | null> {
    return this.sessions.findOne({ token_hash: tokenHash, expires_at: { $gt: now } }).lean<StaffSession>();
  }

  async delete(id: Types.ObjectId): Promise<void> {
    await this.sessions.deleteOne({ _id: id });
  }

  /** Signs a person out everywhere, or everywhere but in one session. */
  async deleteOfStaff(staffId: Types.ObjectId, except?: Types.ObjectId): Promise<void> {
    await this.sessions.deleteMany({ staff_id: staffId, ...(except ? { _id: { $ne: except } } : {}) });
  }

  async deleteExpired(now: Date): Promise<void> {
    await this.sessions.deleteMany({ expires_at: { $lte: now } });
  }
}
