import { startEmbeddedDatabase } from '#platform';
import { mongo } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Bytes. */
const ROOM_NEEDED = 2 * 1024 ** 3;

/** In memory where there is room (a container may have 64 MB of it): no data outlives the run. */
async function temporaryFolder(): Promise<string> {
  const room = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return mkdtemp(join(room >= ROOM_NEEDED ? MEMORY : tmpdir(), 'pillwatch-scenario-'));
}

/** An empty database in the run's mongod. */
export interface ScenarioDatabase {
  uri: string;
  db: mongo.Db;
  /** Empties the database for reuse. */
  release(): Promise<void>;
}

/** One real mongod for all scenarios of a run. */
export class ScenarioMongod {
  private readonly free: string[] = [];

  private constructor(
    readonly uri: string,
    private readonly client: mongo.MongoClient,
    private readonly end: () => Promise<void>,
  ) {}

  /** @param binary the mongod to start, instead of the one that would be found. */
  static async start(binary?: string): Promise<ScenarioMongod> {
    const dataDir = await temporaryFolder();
    const database = await startEmbeddedDatabase({ dataDir, binary, cacheSizeGb: 0.5 });
    const client = await new mongo.MongoClient(database.uri).connect();
    // TTL deletion follows the machine's clock, not the scenario's
    await client.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false });
    return new ScenarioMongod(database.uri, client, async () => {
      await client.close();
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
  }

  /** Scenarios in the mongod of another process, such as one that runs several of these; their databases are dropped. */
  static async connect(uri: string): Promise<ScenarioMongod> {
    const client = await new mongo.MongoClient(uri).connect();
    const scenarios = new ScenarioMongod(uri, client, async () => {
      for (const name of scenarios.free) await client.db(name).dropDatabase();
      await client.close();
    });
    return scenarios;
  }

  /** An empty database. A released one keeps its indexes: creating them takes most of a start. */
  database(): ScenarioDatabase {
    const name = this.free.pop() ?? `scenario-${randomUUID().slice(0, 8)}`;
    const url = new URL(this.uri);
    url.pathname = `/${name}`;
    const db = this.client.db(name);
    const release = async (): Promise<void> => {
      await Promise.all((await db.collections()).map((collection) => collection.deleteMany({})));
      this.free.push(name);
    };
    return { uri: url.toString(), db, release };
  }

  async stop(): Promise<void> {
    await this.end();
  }
}
