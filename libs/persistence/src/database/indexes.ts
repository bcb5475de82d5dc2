import { isDatabaseUnavailable } from '#platform';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection, type IndexDefinition, type IndexOptions } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOTTLE_STATE } from '../bottle-states/bottle-state.schema.js';
import { migrateQuiet } from '../bottle-states/quiet-migration.js';

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
 * Creates the collections and their indexes as the schemas declare them, before the service listens. Any number of
 * processes may do it at once. A changed retention is applied to the TTL index in place.
 */
@Injectable()
export class Indexes implements OnModuleInit {
  private readonly logger = new Logger(Indexes.name);

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly options: PersistenceOptions,
  ) {}

  async onModuleInit(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.ensureAll();
      } catch (error) {
        // the primary changed while we started: all of it can be done again
        if (!isDatabaseUnavailable(error) || attempt === ATTEMPTS) throw error;
        this.logger.warn(`the database is not there yet: ${(error as Error).name}`);
        await sleep(RETRY_MS);
      }
    }
  }

  private async ensureAll(): Promise<void> {
    for (const model of Object.values(this.connection.models)) {
      await model.createCollection();
      if (model.modelName === BOTTLE_STATE) await migrateQuiet(model.collection);
      for (const [keys, options] of model.schema.indexes()) {
        await this.ensure(
          model.collection.collectionName,
          keys,
          this.withRetention(model.collection.collectionName, options),
        );
      }
    }
  }

  private withRetention(collection: string, options: IndexOptions): IndexOptions {
    const isHeartbeatTtl = collection === 'bottle_heartbeats' && options.expireAfterSeconds !== undefined;
    return isHeartbeatTtl
      ? { ...options, expireAfterSeconds: Math.max(1, Math.round(this.options.heartbeatRetention / 1000)) }
      : options;
  }

  private async ensure(
    collection: string,
    keys: IndexDefinition,
    { background: _background, ...options }: IndexOptions,
  ): Promise<void> {
    try {
      await this.connection
        .db!.collection(collection)
        .createIndex(keys as mongo.IndexSpecification, options as mongo.CreateIndexesOptions);
    } catch (error) {
      const conflict = error instanceof mongo.MongoServerError && error.code === INDEX_OPTIONS_CONFLICT;
      if (!conflict || options.expireAfterSeconds === undefined) throw error;
      await this.connection.db!.command({
        collMod: collection,
        index: { name: options.name, expireAfterSeconds: options.expireAfterSeconds },
      });
      this.logger.log(`${collection}.${options.name} now expires after ${options.expireAfterSeconds} s`);
    }
  }
}
