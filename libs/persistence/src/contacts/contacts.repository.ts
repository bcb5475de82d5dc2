import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, type mongo, Schema as MongooseSchema, type Types } from 'mongoose';
import { type EscalationStep, type Language, type QuietHours, recipientOf } from '#domain';
import { isDuplicateKey } from '../database/duplicate-key.js';
import { LONG_COMMAND } from '../database/time-limits.js';
import { type Expected, hasVersion, newVersion } from '../database/version.js';
import { ADDRESS_CHANNELS, ContactAddresses, type ContactDetails, verifiedField } from './addresses.js';

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
  to: 'user' | 'carer';
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

/**
 * The contact details of a recipient of a user's alerts, `user:ID` or `carer:ID`; undefined for the operator, or when
 * they were removed.
 */
export function contactDetailsOf(
  recipient: string,
  contact: Contact | undefined,
): ContactDetails | undefined {
  if (contact === undefined) return undefined;
  if (recipient === recipientOf('carer', contact._id)) return contact.carer;
  return recipient === recipientOf('user', contact._id) ? contact : undefined;
}

/** Where and when a user and their carer are notified. The operator's user service owns the rest. */
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

  /** They fill a pillbox every week: it is asked whether pills that are removed at once were moved there. */
  @Prop({ type: Boolean })
  fills_pillbox?: boolean;

  /** The recipient of steps with `to: "carer"`; without a carer they go to the user. */
  @Prop({ type: Object })
  carer?: ContactDetails;

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

/** Addresses of before there was a verification count as verified. */
export async function migrateVerified(contacts: mongo.Collection): Promise<void> {
  for (const owner of ['', 'carer.'])
    await contacts.updateMany(
      { [`${owner}email`]: { $exists: true }, [`${owner}email_verified_at`]: { $exists: false } },
      [{ $set: { [`${owner}email_verified_at`]: '$changed_at' } }],
      LONG_COMMAND,
    );
}

/** Every query on `contacts`. */
@Injectable()
export class ContactsRepository {
  constructor(@InjectModel(Contact.name) private readonly contacts: Model<Contact>) {}

  /** Writes the whole contact, new or not. Null if it has none of the versions. */
  async put(
    { _id, ...contact }: Contact,
    expected?: Expected,
  ): Promise<{ contact: Contact; isNew: boolean } | null> {
    const { value, lastErrorObject } = await this.contacts.collection.findOneAndReplace(
      { _id: _id as never, ...hasVersion(expected) },
      { ...contact, ...newVersion() },
      { upsert: expected === undefined, returnDocument: 'after', includeResultMetadata: true },
    );
    return value && { contact: value as never, isNew: lastErrorObject?.['updatedExisting'] === false };
  }

  /** Writes a new contact. Null if there is one. */
  async insert(contact: Contact): Promise<Contact | null> {
    const stored = { ...contact, ...newVersion() };
    try {
      await this.contacts.collection.insertOne(stored as never);
      return stored;
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** A contact whose addresses are to be asked for verification; `until` then, no other notifier asks. */
  claimVerification(now: Date, until: Date): Promise<Contact | null> {
    return this.contacts
      .findOneAndUpdate(
        { 'verification.due_at': { $lte: now } },
        { $set: { 'verification.due_at': until } },
        { sort: { 'verification.due_at': 1 } },
      )
      .lean<Contact>();
  }

  async noteAsked(userId: string, address: string, at: Date): Promise<void> {
    await this.contacts.updateOne(
      { _id: userId },
      {
        $addToSet: { 'verification.asked': address },
        $push: { 'verification.recent': { $each: [at], $slice: -MOST_ASKED } },
      },
    );
  }

  /** The addresses were asked, or asking them is given up. */
  async endVerification(userId: string, claimedUntil: Date): Promise<void> {
    await this.contacts.updateOne(
      { _id: userId, 'verification.due_at': claimedUntil },
      { $unset: { 'verification.due_at': '' } },
    );
  }

  /**
   * Asks for a test message. False if there is no such contact, if one asked for after `stuck` is not attempted yet, or
   * if there were `most` since `since`.
   */
  async requestTest(
    userId: string,
    test: TestMessage,
    { stuck, since, most }: { stuck: Date; since: Date; most: number },
  ): Promise<boolean> {
    const recent = {
      $filter: { input: { $ifNull: ['$test.recent', []] }, cond: { $gt: ['$$this', since] } },
    };
    // one step, so that of several requests at once no more than the limit are accepted
    const { modifiedCount } = await this.contacts.updateOne(
      {
        _id: userId,
        $or: [{ 'test.due_at': null }, { 'test.at': { $lt: stuck } }],
        $expr: { $lt: [{ $size: recent }, most] },
      },
      [
        { $set: { recent: { $concatArrays: [recent, [test.at]] } } },
        // in place of the one before with its result
        { $unset: 'test' },
        { $set: { test: { $mergeObjects: [{ $literal: test }, { recent: '$recent' }] } } },
        { $unset: 'recent' },
      ],
      { updatePipeline: true },
    );
    return modifiedCount === 1;
  }

  /** A contact to which a test message is to be sent; `until` then, no other notifier sends it. */
  claimTest(now: Date, until: Date): Promise<Contact | null> {
    return this.contacts
      .findOneAndUpdate(
        { 'test.due_at': { $lte: now } },
        { $set: { 'test.due_at': until } },
        { sort: { 'test.due_at': 1 } },
      )
      .lean<Contact>();
  }

  /** Stores the result of a test message, unless another was asked for meanwhile. */
  async endTest(
    userId: string,
    id: string,
    result: Pick<TestMessage, 'attempted_at' | 'status' | 'error'>,
  ): Promise<void> {
    const fields = Object.entries(result).map(([field, value]) => [`test.${field}`, value]);
    await this.contacts.updateOne(
      { _id: userId, 'test.id': id },
      { $set: Object.fromEntries(fields) as object, $unset: { 'test.due_at': '' } },
    );
  }

  findByVerification(id: string): Promise<Contact | null> {
    return this.contacts.findOne({ 'verification.id': id }).lean<Contact>();
  }

  /** An address of the contact is verified, of the user, of the carer or of both. False if it was. */
  async verify(userId: string, address: string, at: Date): Promise<boolean> {
    let changed = 0;
    for (const owner of ['', 'carer.'])
      for (const channel of ADDRESS_CHANNELS) {
        const verifiedAt = owner + verifiedField(channel);
        const { modifiedCount } = await this.contacts.updateOne(
          { _id: userId, [owner + channel]: address, [verifiedAt]: null },
          { $set: { [verifiedAt]: at, ...newVersion() } },
        );
        changed += modifiedCount;
      }
    return changed > 0;
  }

  /**
   * Nothing is sent to an address of the contact any more, of the user, of the carer or of both, and it is not asked
   * again, until staff verify it. False if it was not verified before.
   */
  async stopAddress(userId: string, address: string): Promise<boolean> {
    let changed = 0;
    for (const owner of ['', 'carer.'])
      for (const channel of ADDRESS_CHANNELS) {
        const verifiedAt = owner + verifiedField(channel);
        const { modifiedCount } = await this.contacts.updateOne(
          // one without the field counts as verified
          { _id: userId, [owner + channel]: address, $nor: [{ [verifiedAt]: { $type: 'null' } }] },
          {
            $set: { [verifiedAt]: null, ...newVersion() },
            $addToSet: { 'verification.asked': address },
          },
        );
        changed += modifiedCount;
      }
    return changed > 0;
  }

  /** Those of these users who fill a pillbox every week. */
  async findFillingPillbox(userIds: readonly string[]): Promise<Set<string>> {
    if (userIds.length === 0) return new Set();
    const found = await this.contacts
      .find({ _id: { $in: [...new Set(userIds)] }, fills_pillbox: true }, { _id: 1 })
      .lean<Pick<Contact, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id));
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
