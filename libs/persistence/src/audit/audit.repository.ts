import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { behind } from '../database/keyset.js';

/** A member of staff, a program, the recipient of a message who followed its link, or a command at the database. */
export const ACTOR_KINDS = ['staff', 'api_key', 'link', 'command'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who did it, with the name at that time. */
export interface Actor {
  kind: ActorKind;
  id: string;
  name: string;
}

/** What an action can be about. */
export const SUBJECT_KINDS = [
  'bottle',
  'alert',
  'delivery',
  'contact',
  'api_key',
  'gateway',
  'staff',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** What erasing a bottle is called in the audit. */
export const ERASURE = 'bottle.erase';

/** One action. Entries are never changed; erasing a bottle keeps its entries, as they record who erased it. */
@Schema({ collection: 'audit', versionKey: false, autoIndex: false, autoCreate: false, minimize: false })
export class AuditEntry {
  _id: Types.ObjectId;

  @Prop({ type: Date, required: true })
  at: Date;

  @Prop({ type: Object, required: true })
  who: Actor;

  /** Such as `alert.acknowledge`. */
  @Prop({ type: String, required: true })
  action: string;

  @Prop({ type: Object, required: true })
  subject: Subject;

  /** Everything that the action concerns, the subject included, as `kind:id`; for instance an alert's bottle. */
  @Prop({ type: [String], required: true })
  about: string[];

  /** No secrets, and nothing about patients: names of fields, and values of a few that are harmless. */
  @Prop({ type: Object, default: {} })
  details: Record<string, unknown>;
}

export const AuditEntrySchema = SchemaFactory.createForClass(AuditEntry);

// All of it, newest first.
AuditEntrySchema.index({ at: -1, _id: -1 }, { name: 'by_time' });
// The actions on a subject, newest first.
AuditEntrySchema.index({ about: 1, at: -1, _id: -1 }, { name: 'by_subject' });
// The actions of an actor, newest first.
AuditEntrySchema.index({ 'who.id': 1, at: -1, _id: -1 }, { name: 'by_actor' });

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

  /** The last entry of an action on a subject. */
  findLast(subject: Subject, action: string): Promise<AuditEntry | null> {
    return this.entries
      .findOne({ about: subjectKey(subject), action })
      .sort({ at: -1, _id: -1 })
      .lean<AuditEntry>();
  }

  /** The subjects of an action since then, oldest first. */
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
