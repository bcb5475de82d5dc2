import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Model, type mongo, Schema as MongooseSchema, type Types } from 'mongoose';
import {
  type Address,
  type EscalationStep,
  type EscalationTarget,
  groupBy,
  type Language,
  type QuietHours,
  recipientOf,
} from '#domain';
import { isDuplicateKey } from '../database/duplicate-key.js';
import { LONG_COMMAND } from '../database/time-limits.js';
import { type Expected, hasVersion, newVersion } from '../database/version.js';
import {
  ADDRESS_CHANNELS,
  type AddressHealth,
  ContactAddresses,
  type ContactDetails,
  type Refusal,
  verifiedField,
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

/** Addresses of before there was a verification count as verified. */
export async function migrateVerified(contacts: mongo.Collection): Promise<void> {
  for (const owner of ['', 'carer.'])
    await contacts.updateMany(
      { [`${owner}email`]: { $exists: true }, [`${owner}email_verified_at`]: { $exists: false } },
      [{ $set: { [`${owner}email_verified_at`]: '$changed_at' } }],
      LONG_COMMAND,
    );
}

/** A person of a contact, and where their details are in it. */
type Owner = '' | 'carer.';
const OWNERS: readonly (readonly [EscalationTarget, Owner])[] = [
  ['user', ''],
  ['carer', 'carer.'],
];

/** Where in a contact an address is that a notification went to, as parts of filters. */
function ownersOf(
  { recipient, channel }: Address,
  address: string | undefined,
): { _id: string; owner: Owner; having: object }[] {
  const _id = recipient.slice(recipient.indexOf(':') + 1);
  return OWNERS.filter(([person]) => address !== undefined || recipient === recipientOf(person, _id)).map(
    ([, owner]) => ({ _id, owner, having: { [owner + channel]: address ?? true } }),
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
          {
            $set: { [verifiedAt]: at, ...newVersion() },
            $unset: { [`${owner}refused.${channel}`]: '' },
          },
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

  /**
   * Notes that an address took nothing, for whoever of the contact has it; the webhook for one person.
   *
   * @param address undefined of the webhook.
   * @param due when the operator is notified, if that is new.
   */
  async noteRefused(
    { recipient, channel }: Address,
    address: string | undefined,
    { at, by, reply }: Pick<Refusal, 'at' | 'by' | 'reply'>,
    due: Date,
  ): Promise<void> {
    for (const { _id, owner, having } of ownersOf({ recipient, channel }, address)) {
      const refused = `${owner}refused.${channel}`;
      const isNew = { $eq: [{ $type: `$${refused}.at` }, 'missing'] };
      await this.contacts.updateOne(
        { _id, ...having },
        [
          {
            $set: {
              refusals_due_at: { $cond: [isNew, { $ifNull: ['$refusals_due_at', due] }, '$refusals_due_at'] },
              [refused]: {
                at: { $ifNull: [`$${refused}.at`, at] },
                last_at: at,
                by: { $literal: by },
                reply: { $literal: reply },
              },
            },
          },
        ],
        { updatePipeline: true },
      );
    }
  }

  /** A message arrived at an address: it is refused no more. */
  async heal({ recipient, channel }: Address, address: string | undefined): Promise<void> {
    for (const { _id, owner, having } of ownersOf({ recipient, channel }, address)) {
      const refused = `${owner}refused.${channel}`;
      await this.contacts.updateOne(
        { _id, ...having, [refused]: { $exists: true } },
        { $unset: { [refused]: '' } },
      );
    }
  }

  /** The contacts with refused addresses of which the operator is to be notified, longest due first. */
  findRefusalsDue(now: Date, limit: number): Promise<Contact[]> {
    return this.contacts
      .find({ refusals_due_at: { $lte: now } })
      .hint('refusals_due')
      .sort({ refusals_due_at: 1 })
      .limit(limit)
      .lean<Contact[]>();
  }

  /** The operator was notified of these. */
  async endRefusalsDue(contacts: readonly Contact[]): Promise<void> {
    const groups = groupBy(contacts, ({ refusals_due_at }) => refusals_due_at!.getTime());
    for (const [due, group] of groups)
      await this.contacts.updateMany(
        { _id: { $in: group.map(({ _id }) => _id) }, refusals_due_at: new Date(due) },
        { $unset: { refusals_due_at: '' } },
      );
  }

  /** Nothing goes to a number any more. @returns the recipients whose it is and to whom something went, `user:ID` */
  pause(number: string, at: Date): Promise<string[]> {
    return this.changeNumber(number, (owner) => ({
      filter: { [`${owner}paused.sms`]: { $exists: false } },
      update: { $set: { [`${owner}paused.sms`]: at, ...newVersion() } },
    }));
  }

  /** Messages go to a number again, also if it was refused: somebody writes from it. @returns as {@link pause} */
  resume(number: string): Promise<string[]> {
    return this.changeNumber(number, (owner) => ({
      filter: {
        $or: ['paused', 'refused'].map((health) => ({ [`${owner}${health}.sms`]: { $exists: true } })),
      },
      update: { $unset: { [`${owner}paused.sms`]: '', [`${owner}refused.sms`]: '' }, $set: newVersion() },
    }));
  }

  private async changeNumber(
    number: string,
    changeOf: (owner: Owner) => { filter: object; update: object },
  ): Promise<string[]> {
    const changed: string[] = [];
    for (const [person, owner] of OWNERS) {
      const { filter, update } = changeOf(owner);
      const having = { [`${owner}sms`]: number, ...filter };
      const found = await this.contacts.find(having, { _id: 1 }).lean<Pick<Contact, '_id'>[]>();
      for (const { _id } of found) {
        const { modifiedCount } = await this.contacts.updateOne({ _id, ...having }, update);
        if (modifiedCount > 0) changed.push(recipientOf(person, _id));
      }
    }
    return changed;
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
