import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import type { EscalationStep, Language, Person, QuietHours } from '#domain';
import {
  type AddressHealth,
  type Carer,
  type CarerDetails,
  ContactAddresses,
  type ContactDetails,
} from './addresses.js';

/** Asks for the verification of a contact's addresses. */
export interface Verification {
  /** Stands for the contact in links: random, says nothing about the person. */
  id: string;
  /** When the mails that ask are sent; absent when they were. */
  due_at?: Date;
  /** The addresses to which one was sent. */
  asked?: string[];
  /** When the last ones were sent. */
  recent?: Date[];
}

/** Mails that ask, to the addresses of a contact, within an hour. */
export const MOST_ASKED = 5;

/** A message that staff send to see whether an address works; it is about nobody. One attempt is made. */
export interface TestMessage {
  id: string;
  to: Person;
  channel: string;
  /** The name of who asked for it. */
  by: string;
  at: Date;
  /** Absent once it was attempted. */
  due_at?: Date;
  attempted_at?: Date;
  /** The receiver's status, if the channel has such a thing. */
  status?: number;
  /** Why it failed. */
  error?: string;
}

/** A test message that no notifier has sent for so long is given up. Milliseconds. */
export const TEST_GIVEN_UP_MS = 10 * 60_000;

/** Where and when a user and their carers are notified. The operator's user service owns the rest. */
@Schema({ collection: 'contacts', versionKey: false, autoIndex: false, autoCreate: false })
export class Contact extends ContactAddresses implements ContactDetails {
  /** The user's id, by the operator's own naming. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: String })
  name?: string;

  @Prop({ type: String })
  phone?: string;

  @Prop({ type: Boolean })
  webhook?: boolean;

  @Prop({ type: String, required: true })
  time_zone: string;

  @Prop({ type: Object })
  quiet_hours?: QuietHours;

  @Prop({ type: String })
  language?: Language;

  @Prop({ type: Object })
  refused?: NonNullable<AddressHealth['refused']>;

  @Prop({ type: Object })
  paused?: NonNullable<AddressHealth['paused']>;

  /** When the operator is notified of addresses that were refused; absent when there is nothing new of them. */
  @Prop({ type: Date })
  refusals_due_at?: Date;

  /** They fill a pillbox every week: it is asked whether pills that are removed at once were moved there. */
  @Prop({ type: Boolean })
  fills_pillbox?: boolean;

  /** The first carer, whose id is `carer`. Versions that know one carer have it here. */
  @Prop({ type: Object })
  carer?: CarerDetails;

  /** The carers with other ids, in their order. */
  @Prop({ type: [Object], default: undefined })
  other_carers?: Carer[];

  @Prop({ type: [Object], default: undefined })
  escalation?: EscalationStep[];

  /** Absent if every address was verified when the contact was written. */
  @Prop({ type: Object })
  verification?: Verification;

  /** The last test message, and when those of the last hour were asked for. */
  @Prop({ type: Object })
  test?: TestMessage & { recent: Date[] };

  @Prop({ type: Date, required: true })
  changed_at: Date;

  /** Another with each change; absent before the first change since contacts have versions. */
  @Prop({ type: MongooseSchema.Types.ObjectId })
  version?: Types.ObjectId;
}

export const ContactSchema = SchemaFactory.createForClass(Contact);

// claimVerification: the contacts whose addresses are to be asked for verification
ContactSchema.index(
  { 'verification.due_at': 1 },
  { name: 'verification_due', partialFilterExpression: { 'verification.due_at': { $exists: true } } },
);
// findByVerification: the contact behind a link
ContactSchema.index(
  { 'verification.id': 1 },
  { name: 'verification', partialFilterExpression: { 'verification.id': { $exists: true } } },
);

// claimTest: the contacts to which a test message is to be sent
ContactSchema.index(
  { 'test.due_at': 1 },
  { name: 'test_due', partialFilterExpression: { 'test.due_at': { $exists: true } } },
);

// findRefusalsDue: the contacts with refused addresses of which the operator is notified
ContactSchema.index(
  { refusals_due_at: 1 },
  { name: 'refusals_due', partialFilterExpression: { refusals_due_at: { $exists: true } } },
);
// pause, resume: who has a number
ContactSchema.index({ sms: 1 }, { name: 'number', partialFilterExpression: { sms: { $exists: true } } });
ContactSchema.index(
  { 'carer.sms': 1 },
  { name: 'number_of_carer', partialFilterExpression: { 'carer.sms': { $exists: true } } },
);
ContactSchema.index(
  { 'other_carers.sms': 1 },
  { name: 'number_of_other_carer', partialFilterExpression: { 'other_carers.sms': { $exists: true } } },
);
