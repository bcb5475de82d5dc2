import { isDatabaseUnavailable } from '#platform';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection, type IndexOptions, type Model } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { Migrations } from '../migrations/migrations.js';
import { INDEX_COMMAND } from './time-limits.js';

/** Options of the persistence library. */
export abstract class PersistenceOptions {
  /** How long heartbeats are kept. Milliseconds. */
  abstract heartbeatRetention: number;
}

const INDEX_OPTIONS_CONFLICT = 85;
/** As often as the connection itself is tried. */
const ATTEMPTS = 60;
const RETRY_MS = 1_000;

/**
 * Creates the collections and their indexes as the schemas declare them, and migrates, before the service listens. Any
 * number of processes may do it at once. A changed retention is applied to the TTL index in place. Indexes of the version
 * before stay: its processes name them in their queries.
 */
@Injectable()
export class Indexes implements OnModuleInit {
  private readonly logger = new Logger(Indexes.name);

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly options: PersistenceOptions,
    private readonly migrations: Migrations,
  ) {}

  async onModuleInit(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.ensureAll();
      } catch (error) {
        // the primary changed during the start; every step can be repeated
        if (!isDatabaseUnavailable(error) || attempt === ATTEMPTS) throw error;
        this.logger.warn(`the database is not available yet: ${(error as Error).name}`);
        await sleep(RETRY_MS);
      }
    }
  }

  private async ensureAll(): Promise<void> {
    const existing = new Set((await this.connection.listCollections()).map(({ name }) => name));
    // one after the other: at once, a service would open a connection for each, and most find nothing to do
    const models = Object.values(this.connection.models);
    for (const model of models)
      if (!existing.has(model.collection.collectionName)) await model.createCollection();
    await this.migrations.run('before indexes');
    for (const model of models) await this.ensureIndexes(model);
    await this.migrations.run('after indexes');
  }

  private async ensureIndexes(model: Model<unknown>): Promise<void> {
    const name = model.collection.collectionName;
    const indexes = model.schema
      .indexes()
      .map(([key, { background: _background, ...options }]): mongo.IndexDescription => {
        const kept = this.withRetention(name, options) as mongo.CreateIndexesOptions;
        return { key: key as mongo.IndexDescription['key'], ...kept };
      });
    if (indexes.length === 0) return;
    const collection = this.connection.db!.collection(name);
    try {
      await collection.createIndexes(indexes, INDEX_COMMAND);
    } catch (error) {
      if (!isOptionsConflict(error)) throw error;
      for (const index of indexes) await this.ensureOne(collection, index);
    }
  }

  private withRetention(collection: string, options: IndexOptions): IndexOptions {
    const isHeartbeatTtl = collection === 'bottle_heartbeats' && options.expireAfterSeconds !== undefined;
    return isHeartbeatTtl
      ? { ...options, expireAfterSeconds: Math.max(1, Math.round(this.options.heartbeatRetention / 1000)) }
      : options;
  }

  /** Creates an index, or changes its retention in place. */
  private async ensureOne(collection: mongo.Collection, index: mongo.IndexDescription): Promise<void> {
    try {
      await collection.createIndexes([index], INDEX_COMMAND);
    } catch (error) {
      const { name, expireAfterSeconds } = index;
      if (!isOptionsConflict(error) || expireAfterSeconds === undefined) throw error;
      const { collectionName } = collection;
      await this.connection.db!.command({ collMod: collectionName, index: { name, expireAfterSeconds } });
      this.logger.log(`${collectionName}.${name} now expires after ${expireAfterSeconds} s`);
    }
  }
}

const isOptionsConflict = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === INDEX_OPTIONS_CONFLICT;
