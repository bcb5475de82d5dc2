import { LruMap } from '#platform';
import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { createHmac, randomBytes } from 'node:crypto';
import { isDuplicateKey } from '../database/duplicate-key.js';

/** Who is behind a pseudonym, as long as the person is not erased; and the key by which pseudonyms are made. */
@Schema({ collection: 'people', versionKey: false, autoIndex: false, autoCreate: false })
export class Person {
  /** The pseudonym, or `key`. */
  @Prop({ type: String })
  _id: string;

  @Prop({ type: String })
  user_id?: string;

  /** 64 hex digits; only of the document `key`. */
  @Prop({ type: String })
  key?: string;
}

export const PersonSchema = SchemaFactory.createForClass(Person);

const KEY_ID = 'key';
const REMEMBERED = 10_000;

/**
 * Pseudonyms of users. They replace user ids in whatever outlives a person's erasure: the audit and the receipts. A
 * pseudonym is the HMAC of the user id, so that an erasure can be repeated on a restored backup by whoever has the key,
 * and nobody else can try user ids.
 */
@Injectable()
export class PeopleRepository {
  private key: Promise<string> | undefined;
  private readonly remembered = new LruMap<string, true>(REMEMBERED);

  constructor(@InjectModel(Person.name) private readonly people: Model<Person>) {}

  /** @returns `person-` and 32 hex digits, the same in every process */
  async pseudonymOf(userId: string): Promise<string> {
    return pseudonymBy(await this.readKey(), userId);
  }

  /** The key, created at the first use. */
  readKey(): Promise<string> {
    this.key ??= this.findOrCreateKey().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }

  /** Adopts the key of another copy of this database. @returns false if this one has a key of its own, another one */
  async adoptKey(key: string): Promise<boolean> {
    this.key = this.findOrCreateKey(key);
    return (await this.key) === key;
  }

  private async findOrCreateKey(created = randomBytes(32).toString('hex')): Promise<string> {
    const find = (): Promise<Person | null> => this.people.findById(KEY_ID).lean<Person>();
    const found = await find();
    if (found?.key !== undefined) return found.key;
    try {
      await this.people.collection.insertOne({ _id: KEY_ID, key: created } as never);
    } catch (error) {
      // another process has just created it
      if (!isDuplicateKey(error)) throw error;
    }
    return (await find())!.key!;
  }

  /** Notes who is behind a pseudonym, so that staff see the user id. */
  async remember(pseudonym: string, userId: string): Promise<void> {
    if (this.remembered.get(pseudonym)) return;
    await this.people.updateOne({ _id: pseudonym }, { $set: { user_id: userId } }, { upsert: true });
    this.remembered.set(pseudonym, true);
  }

  /** From now on nobody knows who is behind it. */
  async forget(pseudonym: string): Promise<void> {
    this.remembered.delete(pseudonym);
    await this.people.deleteOne({ _id: pseudonym });
  }

  /** The user ids behind pseudonyms, as far as they are known. */
  async findUserIds(pseudonyms: string[]): Promise<Map<string, string>> {
    if (pseudonyms.length === 0) return new Map();
    const found = await this.people.find({ _id: { $in: pseudonyms } }).lean<Person[]>();
    return new Map(found.flatMap(({ _id, user_id }) => (user_id === undefined ? [] : [[_id, user_id]])));
  }
}

export function pseudonymBy(key: string, userId: string): string {
  return `person-${createHmac('sha256', key).update(userId).digest('hex').slice(0, 32)}`;
}
