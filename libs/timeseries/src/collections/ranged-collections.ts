import { groupBy, HOUR_MS, DAY_MS } from '#domain';
import { COMPRESSED } from '#persistence';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import { HOURS_KEPT, MINUTES_KEPT } from '../tiers/tiers.js';
import { endOf } from '../time/units.js';

/**
 * Collections of a day or a month each (`division`), dropped whole when that is past keeping; `kept` is for how long
 * after its end one is still needed. Milliseconds.
 */
export const FAMILIES = {
  /** A counter a second. */
  ts_live: { division: 'day', kept: HOUR_MS },
  ts_1m: { division: 'day', kept: MINUTES_KEPT },
  ts_5m: { division: 'day', kept: MINUTES_KEPT },
  ts_1h: { division: 'month', kept: HOURS_KEPT },
  /** The vitals of a bottle's day, by the hour. */
  ts_vitals: { division: 'month', kept: HOURS_KEPT },
} as const;
export type FamilyName = keyof typeof FAMILIES;

/** Kept for ever. */
const ENDLESS = ['ts_1d', 'ts_taken', 'ts_marks', 'ts_progress'];

/** Of version 0.1.0; what they held has been taken over before anything is dropped. */
const OBSOLETE = /^ts_(writers|recounts|rounds|vitals_seconds_\d+)$/;

/** A count may be under way while its collection falls due: it is dropped this much later. Milliseconds. */
const MARGIN = DAY_MS / 4;

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

/** The collection of a family that holds an instant, such as `ts_1m_20260301` or `ts_1h_202603`. */
export function collectionOf(family: FamilyName, at: Date): string {
  const digits = FAMILIES[family].division === 'day' ? 8 : 6;
  return `${family}_${at.toISOString().replaceAll('-', '').slice(0, digits)}`;
}

/** What is needed now and next of a family. */
export function collectionsAhead(family: FamilyName, now: Date): string[] {
  const next = endOf(FAMILIES[family].division, now);
  return [collectionOf(family, now), collectionOf(family, next)];
}

/** Whether a collection's whole range is past keeping. False for a name that is none of ours. */
export function isExpired(collection: string, now: Date): boolean {
  if (OBSOLETE.test(collection)) return true;
  const [, name, year, month, day = '01'] = /^(ts_\w+)_(\d{4})(\d\d)(\d\d)?$/.exec(collection) ?? [];
  const start = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const family = (Object.keys(FAMILIES) as FamilyName[]).find((one) => one === name);
  if (!family || Number.isNaN(start.getTime()) || collectionOf(family, start) !== collection) return false;
  const { division, kept } = FAMILIES[family];
  return now.getTime() >= endOf(division, start).getTime() + kept + MARGIN;
}

/** Makes, reads and drops the collections behind the charts. Any number of processes may do it at once. */
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

  /** Reads documents by `_id`, in no order; those that are not there are left out. One command a collection. */
  async find<T extends mongo.Document>(
    buckets: readonly { collection: string; key: mongo.Document }[],
    projection: mongo.Document = {},
  ): Promise<T[]> {
    const found = await Promise.all(
      [...groupBy(buckets, ({ collection }) => collection)].map(([name, some]) =>
        this.existing(name)
          .find({ _id: { $in: some.map(({ key }) => key['_id']) } }, { projection })
          .toArray(),
      ),
    );
    return found.flat() as unknown as T[];
  }

  /** The collections of a family that are there, oldest first. */
  async namesOf(family: FamilyName): Promise<string[]> {
    return (await this.names(new RegExp(`^${family}_\\d+$`))).sort();
  }

  /** Makes what is needed now and next, so that no writer has to. */
  async makeAhead(now: Date): Promise<void> {
    const families = Object.keys(FAMILIES) as FamilyName[];
    const names = [...ENDLESS, ...families.flatMap((family) => collectionsAhead(family, now))];
    for (const name of names) await this.get(name);
  }

  /** Drops the collections whose whole range is past keeping: documents are never deleted one by one. */
  async dropExpired(now: Date): Promise<string[]> {
    const expired = (await this.names(/^ts_/)).filter((name) => isExpired(name, now));
    for (const name of expired) {
      await this.connection.db!.dropCollection(name);
      this.made.delete(name);
    }
    return expired;
  }

  private async names(pattern: RegExp): Promise<string[]> {
    const found = await this.connection.db!.listCollections({ name: pattern }, { nameOnly: true }).toArray();
    return found.map(({ name }) => name);
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
