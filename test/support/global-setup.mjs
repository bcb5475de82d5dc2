/**
 * One real mongod for the whole run, as the product starts it; each test file takes a database of its own in
 * it (tools/harness/database.ts). Uses the compiled platform library: `npm test` builds first.
 */
import mongoose from 'mongoose';
import { rmSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Bytes. A container may have 64 MB. */
const ROOM_NEEDED = 4 * 1024 ** 3;

/** In memory if there is room: no file of a test outlives the run, and a disk's syncs take most of many tests' time. */
async function temporaryFolder() {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(room >= ROOM_NEEDED ? MEMORY : tmpdir(), 'pillwatch-test-'));
}

export default async function globalSetup() {
  const folder = await temporaryFolder();
  // also when the run is interrupted: it may lie in memory
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // for what the tests and their processes create
  process.env.TMPDIR = folder;
  if (process.env.PILLWATCH_TEST_MONGODB_URI) return;
  const { startEmbeddedDatabase } = await import('../../dist/libs/platform/src/embedded-database/index.js');
  const database = await startEmbeddedDatabase({
    dataDir: join(folder, 'database'),
    binary: process.env.MONGOD_BINARY,
    unixSocket: true,
    log: (line) => console.log(line),
  });
  globalThis.__PILLWATCH_TEST_DATABASE__ = database;
  // it deletes by the machine's clock: what happens in a test's March may be past keeping in November
  const client = await new mongoose.mongo.MongoClient(database.uri).connect();
  await client.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false });
  await client.close();
  // by a Unix socket the tests take a fifth less CPU than by TCP, which the tests of faults and of processes use
  process.env.PILLWATCH_TEST_MONGODB_URI = database.socketUri;
}
