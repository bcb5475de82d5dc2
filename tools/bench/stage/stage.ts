import { type EmbeddedDatabase, startEmbeddedDatabase } from '#platform';
import { mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bigFleet } from './big-fleet.js';
import { LoadProcess } from './load-process.js';
import { freeAddress, ServerProcess } from './server-process.js';

/** A mongod of its own, the load in a process beside it, and the servers that are measured, one at a time. */
export class Stage {
  private databases = 0;
  private readonly bigFleets = new Map<number, Promise<mongo.Db>>();

  private constructor(
    private readonly folder: string,
    private readonly mongod: EmbeddedDatabase,
    readonly client: mongo.MongoClient,
    readonly load: LoadProcess,
    readonly version: string,
  ) {}

  static async start(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'pillwatch-bench-'));
    const mongod = await startEmbeddedDatabase({ dataDir: folder, cacheSizeGb: 4 });
    const client = await new mongo.MongoClient(mongod.uri, {
      writeConcern: { w: 'majority', journal: true },
    }).connect();
    const { version } = (await client.db().admin().serverInfo()) as { version: string };
    return new Stage(folder, mongod, client, await LoadProcess.start(), version);
  }

  /** A name that no measurement has used. */
  newDatabase(of: string): mongo.Db {
    this.databases += 1;
    return this.client.db(`${of}_${this.databases}`);
  }

  /** A fleet of so many bottles that is well, made once: whoever uses it leaves it well. */
  bigFleet(bottles: number): Promise<mongo.Db> {
    const made = this.bigFleets.get(bottles) ?? this.makeBigFleet(bottles);
    this.bigFleets.set(bottles, made);
    return made;
  }

  uriOf(db: mongo.Db): string {
    const uri = new URL(this.mongod.uri);
    uri.pathname = `/${db.databaseName}`;
    return uri.toString();
  }

  /** device-api as an operator starts it, without a rate limit. */
  async deviceApi(db: mongo.Db, env: Record<string, string> = {}): Promise<ServerProcess> {
    const { port, url } = await freeAddress();
    return ServerProcess.start(
      'dist/apps/device-api/src/main.js',
      { MONGODB_URI: this.uriOf(db), DEVICE_API_PORT: port, DEVICE_RATE_LIMIT: 'off', ...env },
      url,
    );
  }

  async notifier(db: mongo.Db, env: Record<string, string> = {}): Promise<ServerProcess> {
    const { port, url } = await freeAddress();
    return ServerProcess.start(
      'dist/apps/notifier/src/main.js',
      { MONGODB_URI: this.uriOf(db), NOTIFIER_PORT: port, ...env },
      url,
    );
  }

  async supportApi(db: mongo.Db, env: Record<string, string> = {}): Promise<ServerProcess> {
    const { port, url } = await freeAddress();
    return ServerProcess.start(
      'dist/apps/support-api/src/main.js',
      { MONGODB_URI: this.uriOf(db), SUPPORT_API_PORT: port, ...env },
      url,
    );
  }

  /** One of tools/bench/baselines, as its own process. */
  async baseline(name: string, db: mongo.Db): Promise<ServerProcess> {
    const { port, url } = await freeAddress();
    const script = `dist/tools/bench/baselines/${name}.js`;
    return ServerProcess.start(script, { MONGODB_URI: this.uriOf(db), PORT: port }, url);
  }

  private async makeBigFleet(bottles: number): Promise<mongo.Db> {
    const db = this.newDatabase(`fleet_${bottles}`);
    await bigFleet(db, bottles, new Date());
    return db;
  }

  async stop(): Promise<void> {
    this.load.stop();
    await this.client.close();
    await this.mongod.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
