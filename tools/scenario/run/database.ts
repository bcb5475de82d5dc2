import { startEmbeddedDatabase } from '#platform';
import { mongo } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteDocuments } from '../../harness/database.js';
import type { Scenario } from '../file/format.js';
import { type ScenarioDatabase, Services } from './services.js';

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

/** One real mongod for all scenarios of a run, and the services that they leave to each other. */
export class ScenarioMongod {
  private readonly free: Services[] = [];
  private readonly databases: ScenarioDatabase[] = [];

  private constructor(
    readonly uri: string,
    private readonly client: mongo.MongoClient,
    private readonly end: () => Promise<void>,
  ) {}

  /** @param binary the mongod to start, instead of the one that would be found. */
  static async start(binary?: string): Promise<ScenarioMongod> {
    const dataDir = await temporaryFolder();
    const database = await startEmbeddedDatabase({ dataDir, binary, cacheSizeGb: 0.5, unixSocket: true });
    const client = await new mongo.MongoClient(database.socketUri).connect();
    // TTL deletion follows the machine's clock, not the scenario's
    await client.db('admin').command({ setParameter: 1, ttlMonitorEnabled: false });
    return new ScenarioMongod(database.socketUri, client, async () => {
      await client.close();
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
  }

  /** Scenarios in the mongod of another process, such as one that runs several of these; their databases are dropped. */
  static async connect(uri: string): Promise<ScenarioMongod> {
    const client = await new mongo.MongoClient(uri).connect();
    const scenarios = new ScenarioMongod(uri, client, async () => {
      for (const { db } of scenarios.databases) await db.dropDatabase();
      await client.close();
    });
    return scenarios;
  }

  /** Services on an empty database, their clock at `start`. Those of an earlier scenario with the same settings are reused. */
  async services(scenario: Pick<Scenario, 'settings' | 'start' | 'events'>): Promise<Services> {
    const same = this.free.findIndex((services) => services.fit(scenario));
    if (same !== -1) {
      const [services] = this.free.splice(same, 1);
      await services!.restart(scenario.start);
      return services!;
    }
    const other = this.free.pop();
    await other?.stop();
    return Services.start(scenario, other?.database ?? this.database());
  }

  /** Keeps them for the next scenario. */
  async release(services: Services): Promise<void> {
    await services.database.empty();
    this.free.push(services);
  }

  async stop(): Promise<void> {
    await Promise.all(this.free.map((services) => services.stop()));
    await this.end();
  }

  private database(): ScenarioDatabase {
    const url = new URL(this.uri);
    url.pathname = `/scenario-${randomUUID().slice(0, 8)}`;
    const db = this.client.db(url.pathname.slice(1));
    const database = { uri: url.toString(), db, empty: () => deleteDocuments(db) };
    this.databases.push(database);
    return database;
  }
}
