import { COMPRESSED } from '#persistence';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import { collectionsAhead, ENDLESS, FAMILIES, type FamilyName, isExpired } from './families.js';

const NAMESPACE_EXISTS = 48;
const THIRTY_DAYS_S = 30 * 24 * 60 * 60;

/** All others are read and written by `_id`: series and time. */
const INDEXES: Record<string, mongo.IndexDescription[]> = {
  ts_taken: [
    // one document for each tags and month; and what was taken of a medication, by month
    { key: { medication: 1, time_zone: 1, date: 1 }, name: 'one_month', unique: true },
    // all that was taken in a month, to be compared with the log
    { key: { date: 1 }, name: 'by_month' },
  ],
  ts_marks: [
    // what is to be rolled up, oldest first
    { key: { '_id.timestamp': 1 }, name: 'open', partialFilterExpression: { done: false } },
    // forgotten after 30 days
    { key: { marked_at: 1 }, name: 'TTL', expireAfterSeconds: THIRTY_DAYS_S },
  ],
};

/** Makes and drops the collections behind the charts. Any number of processes may do it at once. */
@Injectable()
export class RangedCollections {
  private readonly made = new Map<string, Promise<void>>();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** A collection, made as the project makes those that grow with the fleet if it is not there yet. */
  async get<T extends mongo.Document = mongo.Document>(name: string): Promise<mongo.Collection<T>> {
    const made = this.made.get(name) ?? this.make(name);
    this.made.set(name, made);
    try {
      await made;
    } catch (error) {
      this.made.delete(name);
      throw error;
    }
    return this.existing<T>(name);
  }

  /** For reading: a collection that is not there is empty. */
  existing<T extends mongo.Document = mongo.Document>(name: string): mongo.Collection<T> {
    return this.connection.db!.collection<T>(name);
  }

  /** The collections of a family that are there, oldest first. */
  async namesOf(family: FamilyName): Promise<string[]> {
    const name = new RegExp(`^${family}_\\d+$`);
    const found = await this.connection.db!.listCollections({ name }, { nameOnly: true }).toArray();
    return found.map((collection) => collection.name).sort();
  }

  /** Makes what is needed now and next, so that no writer has to. */
  async makeAhead(now: Date): Promise<void> {
    const families = Object.keys(FAMILIES) as FamilyName[];
    const names = [...ENDLESS, ...families.flatMap((family) => collectionsAhead(family, now))];
    for (const name of names) await this.get(name);
  }

  /** Drops the collections whose whole range is past keeping: documents are never deleted one by one. */
  async dropExpired(now: Date): Promise<string[]> {
    const found = await this.connection.db!.listCollections({ name: /^ts_/ }, { nameOnly: true }).toArray();
    const expired = found.map(({ name }) => name).filter((name) => isExpired(name, now));
    for (const name of expired) {
      await this.connection.db!.dropCollection(name);
      this.made.delete(name);
    }
    return expired;
  }

  private async make(name: string): Promise<void> {
    try {
      await this.connection.db!.createCollection(name, COMPRESSED);
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
    }
    for (const { key, ...options } of INDEXES[name] ?? [])
      await this.existing(name).createIndex(key, options);
  }
}
