import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { behind } from '../database/keyset.js';
import { AuditEntry, type Subject } from './audit-entry.schema.js';

/** A page of the audit, newest first. */
export interface AuditPage {
  subject?: Subject;
  /** The account's or the key's id. */
  actor_id?: string;
  before?: { time: Date; id: Types.ObjectId };
  limit: number;
}

/** As it stands in {@link AuditEntry.about}. */
export const subjectKey = ({ kind, id }: Subject): string => `${kind}:${id}`;

/** Every query on `audit`. */
@Injectable()
export class AuditRepository {
  constructor(@InjectModel(AuditEntry.name) private readonly entries: Model<AuditEntry>) {}

  async insertMany(entries: AuditEntry[]): Promise<void> {
    await this.entries.insertMany(entries);
  }

  /** When this was done last to something. */
  findLast(subject: Subject, action: string): Promise<AuditEntry | null> {
    return this.entries
      .findOne({ about: subjectKey(subject), action })
      .sort({ at: -1, _id: -1 })
      .lean<AuditEntry>();
  }

  /** What this was done to since then, oldest first. */
  async findSubjects(action: string, since: Date): Promise<Subject[]> {
    const entries = await this.entries
      .find({ at: { $gte: since }, action }, { subject: 1 })
      .sort({ at: 1, _id: 1 })
      .lean<Pick<AuditEntry, 'subject'>[]>();
    return entries.map(({ subject }) => subject);
  }

  findPage({ subject, actor_id, before, limit }: AuditPage): Promise<AuditEntry[]> {
    const filter = {
      ...(subject ? { about: subjectKey(subject) } : {}),
      ...(actor_id === undefined ? {} : { 'who.id': actor_id }),
    };
    return this.entries
      .find(behind<AuditEntry>(filter, 'at', before))
      .sort({ at: -1, _id: -1 })
      .limit(limit)
      .lean<AuditEntry[]>();
  }
}
