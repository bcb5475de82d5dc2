import type { DatabaseConfig } from '#platform';
import { mongo } from 'mongoose';
import { migrate } from '../migrate/migrate.command.js';
import { SHARD_KEYS, type ShardKey } from './shard-keys.js';

/** The command cannot be done here; the message says what to do. */
export class ShardError extends Error {}

/**
 * Shards the collections as docs/sharding.md says. What is sharded already stays as it is, so it may be run
 * again at any time.
 *
 * @throws ShardError when MONGODB_URI is no mongos, or when a collection is sharded by another key.
 */
export async function shardCollections(config: DatabaseConfig, say: (line: string) => void): Promise<void> {
  const client = await connect(config.MONGODB_URI);
  try {
    await assertMongos(client);
    // the keys' indexes have to be there before the collections are sharded
    await migrate(config);
    await shard(client, client.db().databaseName, say);
  } finally {
    await client.close();
  }
}

async function connect(uri: string): Promise<mongo.MongoClient> {
  try {
    return await new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5_000 }).connect();
  } catch (error) {
    throw new ShardError('MONGODB_URI: no server answers', { cause: error });
  }
}

async function assertMongos(client: mongo.MongoClient): Promise<void> {
  const { msg } = await client.db('admin').command({ hello: 1 });
  if (msg === 'isdbgrid') return;
  throw new ShardError(
    'MONGODB_URI names a replica set or a single mongod, not a mongos: there is nothing to shard over. ' +
      'Nothing was changed. docs/sharding.md says when a sharded cluster is worth it.',
  );
}

async function shard(client: mongo.MongoClient, name: string, say: (line: string) => void): Promise<void> {
  const admin = client.db('admin');
  await admin.command({ enableSharding: name });
  for (const { collection, key } of SHARD_KEYS) {
    const shown = JSON.stringify(key);
    const present = await keyOf(client, `${name}.${collection}`);
    if (present !== undefined && present !== shown) {
      throw new ShardError(`${collection} is sharded by ${present}, not by ${shown}: see docs/sharding.md`);
    }
    if (present === undefined) {
      if (isHashed(key)) await client.db(name).collection(collection).createIndex(key);
      await admin.command({ shardCollection: `${name}.${collection}`, key });
    }
    say(`${collection} ${present === undefined ? 'is now' : 'was already'} sharded by ${shown}`);
  }
}

const isHashed = (key: ShardKey['key']): boolean => Object.values(key).includes('hashed');

/** The key by which a collection is sharded; undefined when it is not. */
async function keyOf(client: mongo.MongoClient, namespace: string): Promise<string | undefined> {
  const found = await client
    .db('config')
    .collection<{ _id: string; key: object; unsplittable?: boolean }>('collections')
    // since MongoDB 8 collections that are not sharded can be listed too
    .findOne({ _id: namespace, dropped: { $ne: true }, unsplittable: { $ne: true } });
  return found ? JSON.stringify(found.key) : undefined;
}
