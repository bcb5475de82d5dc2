import { mongo } from 'mongoose';
import { randomUUID } from 'node:crypto';

/** A database of its own for one test file, in the run's mongod. */
export interface TestDatabase {
  uri: string;
  client: mongo.MongoClient;
  db: mongo.Db;
  drop(): Promise<void>;
}

/** @param name for reading logs; the database's name is unique all the same. */
export async function testDatabase(name: string): Promise<TestDatabase> {
  const base = process.env['PILLWATCH_TEST_MONGODB_URI'];
  if (base === undefined) throw new Error('test/support/global-setup.mjs did not run');
  const url = new URL(base);
  url.pathname = `/${name}-${randomUUID().slice(0, 8)}`;
  const uri = url.toString();
  const client = await new mongo.MongoClient(uri).connect();
  const db = client.db();
  return {
    uri,
    client,
    db,
    drop: async () => {
      await db.dropDatabase();
      await client.close();
    },
  };
}
