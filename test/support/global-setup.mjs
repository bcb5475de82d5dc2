/**
 * One real mongod for the whole run, as the product starts it; each test file takes a database of its own in
 * it (tools/harness/database.ts). Uses the compiled platform library: `npm test` builds first.
 */
import mongoose from 'mongoose';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function globalSetup() {
  if (process.env.PILLWATCH_TEST_MONGODB_URI) return;
  const { startEmbeddedDatabase } = await import('../../dist/libs/platform/src/embedded-database/index.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'pillwatch-test-'));
  const database = await startEmbeddedDatabase({
    dataDir,
    binary: process.env.MONGOD_BINARY,
    log: (line) => console.log(line),
  });
  // it deletes by the machine's clock: what happens in a test's March may be past keeping in November
  const client = await new mongoose.mongo.MongoClient(database.uri).connect();
  await client.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false });
  await client.close();
  process.env.PILLWATCH_TEST_MONGODB_URI = database.uri;
  globalThis.__PILLWATCH_TEST_DATABASE__ = { database, dataDir };
}
