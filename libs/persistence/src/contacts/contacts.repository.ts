import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import { isDuplicateKey } from '../database/duplicate-key.js';
import { LONG_COMMAND } from '../database/time-limits.js';
import { type Expected, hasVersion, newVersion } from '../database/version.js';
import { ADDRESS_CHANNELS, type AddressChannel, isEntered, verifiedField } from './addresses.js';
import { Contact, MOST_ASKED, type TestMessage } from './contact.schema.js';
import { PLACES } from './places.js';

const MOST_READ_FOR_TESTS = 100;

/** Addresses of before there was a verification count as verified. */
export async function migrateVerified(contacts: mongo.Collection): Promise<void> {
  for (const owner of ['', 'carer.'])
    await contacts.updateMany(
      { [`${owner}email`]: { $exists: true }, [`${owner}email_verified_at`]: { $exists: false } },
      [{ $set: { [`${owner}email_verified_at`]: '$changed_at' } }],
      LONG_COMMAND,
    );
}

/** Every query on `contacts`, but for those on the health of addresses. */
@Injectable()
export class ContactsRepository {
  constructor(@InjectModel(Contact.name) private readonly contacts: Model<Contact>) {}

  /** Replaces the whole contact. Null if it has another version, or is not there. */
  async replace({ _id, ...contact }: Contact, version: string): Promise<Contact | null> {
    const stored = await this.contacts.collection.findOneAndReplace(
      { _id: _id as never, ...hasVersion([version]) },
      { ...contact, ...newVersion() },
      { returnDocument: 'after' },
    );
    return stored as never;
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

  /** An address of the contact is verified, of everyone who has it. False if it was. */
  verify(userId: string, address: string, at: Date): Promise<boolean> {
    return this.changeAddress(userId, address, (channel, path) => {
      if (!isEntered(channel)) return undefined;
      return {
        whose: { [verifiedField(channel)]: null },
        update: {
          $set: { [path + verifiedField(channel)]: at, ...newVersion() },
          $unset: { [`${path}refused.${channel}`]: '' },
        },
      };
    });
  }

  /**
   * Nothing is sent to an address of the contact any more, of everyone who has it, and it is not asked again, until
   * staff verify it; browsers are removed. False if it was not verified before.
   */
  stopAddress(userId: string, address: string, at: Date): Promise<boolean> {
    return this.changeAddress(userId, address, (channel, path) => {
      if (!isEntered(channel)) {
        const fields = ['push', 'push_since', 'push_browsers'].map((field) => [path + field, '']);
        return { whose: {}, update: { $unset: Object.fromEntries(fields) as object, $set: newVersion() } };
      }
      return {
        // one without the field counts as verified
        whose: { [verifiedField(channel)]: { $not: { $type: 'null' } } },
        update: {
          $set: {
            [path + verifiedField(channel)]: null,
            [`${path}${channel}_since`]: at,
            ...newVersion(),
          },
          $addToSet: { 'verification.asked': address },
        },
      };
    });
  }

  /** Of whoever of the contact has the address and these fields. @returns whether that was anybody */
  private async changeAddress(
    userId: string,
    address: string,
    changeOf: (channel: AddressChannel, path: string) => { whose: object; update: object } | undefined,
  ): Promise<boolean> {
    let changed = 0;
    for (const place of PLACES)
      for (const channel of ADDRESS_CHANNELS) {
        const { whose, update } = changeOf(channel, place.path) ?? {};
        if (!update) continue;
        const fields = { [channel]: address, ...whose };
        const { modifiedCount } = await this.contacts.updateOne(
          { _id: userId, ...place.having(fields) },
          update,
          place.of(fields),
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

  /** The names of these users, by the user's id; users without one are left out. */
  async findNames(userIds: Iterable<string>): Promise<Map<string, string>> {
    const users = [...new Set(userIds)];
    if (users.length === 0) return new Map();
    const found = await this.contacts
      .find({ _id: { $in: users } }, { name: 1 })
      .lean<Pick<Contact, '_id' | 'name'>[]>();
    return new Map(found.flatMap(({ _id, name }) => (name ? [[_id, name] as const] : [])));
  }

  async isAnyStored(): Promise<boolean> {
    return (await this.contacts.exists({})) !== null;
  }

  /** The channels over which a test message has arrived, of the first contacts: where there are more, messages have. */
  async findDeliveredTests(): Promise<string[]> {
    const found = await this.contacts
      .find({}, { test: 1 })
      .limit(MOST_READ_FOR_TESTS)
      .lean<Pick<Contact, 'test'>[]>();
    return found.flatMap(({ test }) =>
      test?.attempted_at && test.error === undefined ? [test.channel] : [],
    );
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
