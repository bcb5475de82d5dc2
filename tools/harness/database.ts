import { mongo } from 'mongoose';
import { randomUUID } from 'node:crypto';

/** A database of its own for one test file, in the run's mongod. */
export interface TestDatabase {
  uri: string;
  client: mongo.MongoClient;
  db: mongo.Db;
  /** Ends its use. */
  drop(): Promise<void>;
}

/** More than that is dropped faster than it is deleted. */
const FEW_DOCUMENTS = 5_000;

/**
 * A new database.
 *
 * @param name for reading logs; the database's name is unique all the same.
 */
export async function newDatabase(name: string): Promise<TestDatabase> {
  const client = await connect();
  return databaseOf(client, uniqueName(name), (db) => db.dropDatabase());
}

/**
 * An empty database in which an earlier test file may have left the services' collections and indexes: to make them
 * takes longer than most tests. For tests that change no index.
 *
 * @param name of a new one
 */
export async function emptyDatabase(name: string): Promise<TestDatabase> {
  const client = await connect();
  const emptied = client.db('emptied').collection<{ _id: string }>('databases');
  const found = await emptied.findOneAndDelete({});
  return databaseOf(client, found?._id ?? uniqueName(name), async (db) => {
    if (await empty(db)) await emptied.insertOne({ _id: db.databaseName });
    else await db.dropDatabase();
  });
}

const base = (): string => {
  const uri = process.env['PILLWATCH_TEST_MONGODB_URI'];
  if (uri === undefined) throw new Error('test/support/global-setup.mjs did not run');
  return uri;
};

const connect = (): Promise<mongo.MongoClient> => new mongo.MongoClient(base()).connect();

const uniqueName = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`;

function databaseOf(
  client: mongo.MongoClient,
  name: string,
  end: (db: mongo.Db) => Promise<unknown>,
): TestDatabase {
  const url = new URL(base());
  url.pathname = `/${name}`;
  const db = client.db(name);
  return {
    uri: url.toString(),
    client,
    db,
    drop: async () => {
      await end(db);
      await client.close();
    },
  };
}

/** Deletes all documents, and leaves collections and indexes. */
export async function deleteDocuments(db: mongo.Db): Promise<void> {
  const collections = (await db.collections()).filter(
    ({ collectionName }) => !collectionName.startsWith('system.'),
  );
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
}

/** @returns whether it is as the services made it, without a document */
async function empty(db: mongo.Db): Promise<boolean> {
  const [found, { objects }] = await Promise.all([
    db.listCollections({}, { nameOnly: false }).toArray(),
    db.stats(),
  ]);
  const isChanged = found.some(({ options }) => Object.keys(options?.['validator'] ?? {}).length > 0);
  if (isChanged || objects > FEW_DOCUMENTS) return false;
  await deleteDocuments(db);
  return true;
}
