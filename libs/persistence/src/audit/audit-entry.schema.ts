import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';

/** A member of staff, a program, the recipient of a message who followed its link, or a command at the database. */
export const ACTOR_KINDS = ['staff', 'api_key', 'link', 'command'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who did it, named as then. */
export interface Actor {
  kind: ActorKind;
  id: string;
  name: string;
}

/** What it was done to. */
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

/** Somebody did something. Written once, never changed; erasing a bottle leaves its entries, for they say who did it. */
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

  /** Everything that it concerns, as `kind:id`, the subject too: an alert's bottle for instance. */
  @Prop({ type: [String], required: true })
  about: string[];

  /** No secrets, and nothing about patients: names of fields, and values of a few that are harmless. */
  @Prop({ type: Object, default: {} })
  details: Record<string, unknown>;
}

export const AuditEntrySchema = SchemaFactory.createForClass(AuditEntry);

// All of it, newest first.
AuditEntrySchema.index({ at: -1, _id: -1 }, { name: 'by_time' });
// What was done to something, newest first.
AuditEntrySchema.index({ about: 1, at: -1, _id: -1 }, { name: 'by_subject' });
// What somebody did, newest first.
AuditEntrySchema.index({ 'who.id': 1, at: -1, _id: -1 }, { name: 'by_actor' });
