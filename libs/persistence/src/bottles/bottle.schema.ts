import type { BottleLife, Schedule, SharedPlan, UnmonitoredPeriod } from '#domain';
import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types, Schema as MongooseSchema } from 'mongoose';

/** A schedule as it was in force from a moment on. Slots already past are never judged by a newer one. */
export interface StoredScheduleVersion {
  effective_from: Date;
  /** IANA zone in which wall-clock times are read. */
  time_zone: string;
  schedule: Schedule;
  /** When the bottle left use, if it was the version in effect then. */
  ends_at?: Date;
}

/** A bottle that is, or was, for the plan of another one, and since when; its own entry says until when. */
export interface PlanMemberEntry {
  bottle_id: Types.ObjectId;
  from: Date;
  /** Of a bottle that was erased since: until when it was for the plan. */
  erased_until?: Date;
}

/** What is erased with a bottle, by the log that it is in. */
export const ERASED_KINDS = [
  'actions',
  'heartbeats',
  'doses',
  'attestations',
  'alerts',
  'deliveries',
  'vitals',
  'notes',
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];

/** The registry: who owns a bottle, what is in it, when it is to be taken. */
@Schema({ collection: 'bottles', versionKey: false, autoIndex: false, autoCreate: false, minimize: false })
export class Bottle {
  _id: Types.ObjectId;

  @Prop({ type: String, required: true })
  user_id: string;

  @Prop({ type: String, required: true })
  medication: string;

  /** By which people tell it from their other bottles; empty if that was removed. */
  @Prop({ type: String })
  label?: string;

  /** IANA name of the bottle's home zone. */
  @Prop({ type: String, required: true })
  time_zone: string;

  /** Where it was at home before, oldest first: what was taken is charted by the clock of then. */
  @Prop({ type: [MongooseSchema.Types.Mixed], default: undefined })
  former_time_zones?: { time_zone: string; until: Date }[];

  @Prop({ type: Date, required: true })
  registered_at: Date;

  /** Pills at registration: what is left until the bottle first says it itself. */
  @Prop({ type: Number })
  initial_pills?: number;

  /** SHA-256 of the device's token, hex. */
  @Prop({ type: String, required: true })
  token_hash: string;

  /** Hashes of the last rotated tokens; a device that uses one gets the error `token_revoked`. */
  @Prop({ type: [String], default: [] })
  revoked_token_hashes: string[];

  /** When its token was replaced last; absent if it never was. */
  @Prop({ type: Date })
  token_replaced_at?: Date;

  /** Gateways that may report for it, beside the bottle itself. */
  @Prop({ type: [MongooseSchema.Types.ObjectId], default: undefined })
  gateway_ids?: Types.ObjectId[];

  /**
   * When its token, owner, medication, time zone or gateways changed last, by the database's clock; absent if they never
   * did. Caches of these fields are refreshed by it.
   */
  @Prop({ type: Date })
  identity_changed_at?: Date;

  /** When it has changed hands: every owner by whom the search may still find it. */
  @Prop({ type: [String], default: undefined })
  searchable_as?: string[];

  /** Whose it was before, oldest first, each until the handover; an erased person by pseudonym. */
  @Prop({ type: [MongooseSchema.Types.Mixed], default: undefined })
  former_owners?: { user_id: string; until: Date }[];

  /** Absent if it has been in use since its registration. */
  @Prop({ type: Object })
  life?: BottleLife;

  /** Oldest first. */
  @Prop({ type: [MongooseSchema.Types.Mixed], default: [] })
  schedule_versions: StoredScheduleVersion[];

  /** The periods without monitoring; those from before there were others have no reason and are pauses. */
  @Prop({ type: [MongooseSchema.Types.Mixed], default: [] })
  pauses: UnmonitoredPeriod[];

  /** When it was for the plan of another bottle, oldest first; absent if it never was. */
  @Prop({ type: [MongooseSchema.Types.Mixed], default: undefined })
  shared_plans?: SharedPlan<Types.ObjectId>[];

  /** The bottles that are, or were, for its plan, oldest first; absent if none ever was. */
  @Prop({ type: [MongooseSchema.Types.Mixed], default: undefined })
  plan_members?: PlanMemberEntry[];

  /** Another with each change by staff; absent before the first one. */
  @Prop({ type: MongooseSchema.Types.ObjectId })
  version?: Types.ObjectId;

  /** While it is being erased: how much has been, so far. */
  @Prop({ type: Object })
  erased?: Partial<Record<ErasedKind, number>>;
}

export const BottleSchema = SchemaFactory.createForClass(Bottle);

// A device's token names its bottle: the token check of every report.
BottleSchema.index({ token_hash: 1 }, { name: 'find_by_token', unique: true });
// A device that still uses a rotated token gets "revoked" and not "unknown".
BottleSchema.index(
  { revoked_token_hashes: 1 },
  { name: 'find_by_revoked_token', partialFilterExpression: { 'revoked_token_hashes.0': { $exists: true } } },
);
// The bottles that were once somebody's; most never change hands.
BottleSchema.index(
  { 'former_owners.user_id': 1 },
  { name: 'find_by_former_owner', partialFilterExpression: { 'former_owners.0': { $exists: true } } },
);
// What changed lately, for whoever remembers whom a token speaks for; most bottles never change.
BottleSchema.index({ identity_changed_at: 1 }, { name: 'find_changed', sparse: true });
// How many bottles of each medication are registered, and since when, covered: for the quality of alerts.
BottleSchema.index({ medication: 1, registered_at: 1, _id: 1 }, { name: 'by_medication_and_registration' });
// The same of the bottles that are retired, and since when; most are not.
BottleSchema.index(
  { 'life.state': 1, medication: 1, 'life.since': 1, _id: 1 },
  { name: 'by_medication_and_retirement', partialFilterExpression: { 'life.state': 'retired' } },
);
// The bottles that a gateway speaks for, page by page; most bottles have none.
BottleSchema.index(
  { gateway_ids: 1, _id: 1 },
  { name: 'find_by_gateway', partialFilterExpression: { 'gateway_ids.0': { $exists: true } } },
);
