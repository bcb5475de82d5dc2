import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, Schema as MongooseSchema, type Types } from 'mongoose';
import type { EscalationStep, QuietHours } from '#domain';
import { type Expected, hasVersion, newVersion } from '../database/version.js';

/** Over which channels one person is notified, where, and when not. */
export interface ContactDetails {
  /** By the operator's webhook, which knows the person. */
  webhook?: boolean;
  email?: string;
  /** IANA name: the zone of the quiet hours and of the times in messages. */
  time_zone: string;
  quiet_hours?: QuietHours;
}

/** Where a channel reaches someone now; undefined if it does not. The operator's webhook knows the person. */
export function addressOver(
  channel: string,
  { email, webhook }: Pick<ContactDetails, 'email' | 'webhook'>,
): string | undefined {
  if (channel === 'email') return email;
  return webhook === true ? '' : undefined;
}

/**
 * The contact details of a recipient of a user's alerts, `user:ID` or `carer:ID`; undefined for the operator, or when
 * they were removed.
 */
export function contactDetailsOf(
  recipient: string,
  contact: Contact | undefined,
): ContactDetails | undefined {
  if (recipient === `carer:${contact?._id}`) return contact?.carer;
  return recipient === `user:${contact?._id}` ? contact : undefined;
}

/** Where and when a user and their carer are notified. The operator's user service owns the rest. */
@Schema({ collection: 'contacts', versionKey: false, autoIndex: false, autoCreate: false })
export class Contact implements ContactDetails {
  /** The user's id, by the operator's own naming. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: Boolean })
  webhook?: boolean;

  @Prop({ type: String })
  email?: string;

  @Prop({ type: String, required: true })
  time_zone: string;

  @Prop({ type: Object })
  quiet_hours?: QuietHours;

  /** The recipient of steps with `to: "carer"`; without a carer they go to the user. */
  @Prop({ type: Object })
  carer?: ContactDetails;

  @Prop({ type: [Object], default: undefined })
  escalation?: EscalationStep[];

  @Prop({ type: Date, required: true })
  changed_at: Date;

  /** Another with each change; absent before the first change since contacts have versions. */
  @Prop({ type: MongooseSchema.Types.ObjectId })
  version?: Types.ObjectId;
}

export const ContactSchema = SchemaFactory.createForClass(Contact);

/** Every query on `contacts`. */
@Injectable()
export class ContactsRepository {
  constructor(@InjectModel(Contact.name) private readonly contacts: Model<Contact>) {}

  /** Writes the whole contact, new or not. Null if it has none of the versions. */
  put({ _id, ...contact }: Contact, expected?: Expected): Promise<Contact | null> {
    return this.contacts
      .findOneAndReplace(
        { _id, ...hasVersion(expected) },
        { ...contact, ...newVersion() },
        { upsert: expected === undefined, returnDocument: 'after' },
      )
      .lean<Contact>();
  }

  findByUser(userId: string): Promise<Contact | null> {
    return this.contacts.findById(userId).lean<Contact>();
  }

  findByUsers(userIds: string[]): Promise<Contact[]> {
    return this.contacts.find({ _id: { $in: userIds } }).lean<Contact[]>();
  }

  /** Every user with a contact, as it is taken. */
  async *users(): AsyncGenerator<string> {
    for await (const { _id } of this.contacts.collection.find<{ _id: string }>(
      {},
      { projection: { _id: 1 } },
    ))
      yield _id;
  }

  /** False if there is none, or if it has none of the versions. */
  async delete(userId: string, expected?: Expected): Promise<boolean> {
    return (await this.contacts.deleteOne({ _id: userId, ...hasVersion(expected) })).deletedCount === 1;
  }
}
