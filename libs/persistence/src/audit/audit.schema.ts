import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';

/**
 * A member of staff, a program, the recipient of a message who followed its link, a command at the database, or someone
 * who was not identified.
 */
export const ACTOR_KINDS = ['staff', 'api_key', 'link', 'command', 'unknown'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who did it, with the name at that time. */
export interface Actor {
  kind: ActorKind;
  id: string;
  name: string;
  /** The client's IP address. Absent for the recipients of messages, and for what no request caused. */
  address?: string;
}

/** What an action can be about. `list` and `route` are parts of the API. */
export const SUBJECT_KINDS = [
  'bottle',
  'alert',
  'delivery',
  'contact',
  'api_key',
  'gateway',
  'webhook_endpoint',
  'staff',
  'list',
  'route',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** `change`: something was changed, or someone signed in; `read`: patients' data was seen or exported; `refusal`: neither. */
export const AUDIT_CATEGORIES = ['change', 'read', 'refusal'] as const;
export type AuditCategory = (typeof AUDIT_CATEGORIES)[number];

/** What erasing a bottle is called in the audit. */
export const ERASURE = 'bottle.erase';

/**
 * One action. Entries are never changed or deleted: each contains the hash of the one before it (see audit-chain.ts).
 * Patients appear by pseudonym only, so erasing one changes no entry.
 */
@Schema({ collection: 'audit', versionKey: false, autoIndex: false, autoCreate: false, minimize: false })
export class AuditEntry {
  _id: Types.ObjectId;

  /** Its place in the chain, from 1. */
  @Prop({ type: Number, required: true })
  seq: number;

  /** The hash of the entry before it; empty for the first. */
  @Prop({ type: String })
  previous: string;

  /** Of all other fields. */
  @Prop({ type: String, required: true })
  hash: string;

  @Prop({ type: Date, required: true })
  at: Date;

  @Prop({ type: String, required: true, enum: AUDIT_CATEGORIES })
  category: AuditCategory;

  @Prop({ type: Object, required: true })
  who: Actor;

  /** Such as `alert.acknowledge`. */
  @Prop({ type: String, required: true })
  action: string;

  /** A contact's id is its user's pseudonym. */
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

// One entry per place: whoever appends after the same entry as another process is refused, and appends after that one.
AuditEntrySchema.index(
  { seq: 1 },
  { name: 'chain', unique: true, partialFilterExpression: { seq: { $exists: true } } },
);
// All of it, newest first.
AuditEntrySchema.index({ at: -1, _id: -1 }, { name: 'by_time' });
// Only changes, reads or refusals, newest first.
AuditEntrySchema.index({ category: 1, at: -1, _id: -1 }, { name: 'by_category' });
// The actions on a subject, newest first.
AuditEntrySchema.index({ about: 1, at: -1, _id: -1 }, { name: 'by_subject' });
// The actions of an actor, newest first.
AuditEntrySchema.index({ 'who.id': 1, at: -1, _id: -1 }, { name: 'by_actor' });

/** The last entry of the chain, apart from it: without this, nobody would miss the last entries. */
@Schema({ collection: 'audit_head', versionKey: false, autoIndex: false, autoCreate: false })
export class AuditHead {
  /** Always `head`. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Number, required: true })
  seq: number;

  @Prop({ type: String, default: '' })
  hash: string;
}

export const AuditHeadSchema = SchemaFactory.createForClass(AuditHead);
