import { type EmbeddedDatabase, startEmbeddedDatabase } from '#platform';
import { mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bigFleet } from './fixtures/big-fleet.js';
import { LoadProcess } from './load/load-client.js';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { cpuMsOf, ServiceProcess } from '../harness/service-process.js';

/** A mongod of its own, the load in a process of its own, and the services under measurement, one at a time. */
export class BenchHarness {
  private databases = 0;
  private readonly bigFleets = new Map<number, Promise<mongo.Db>>();

  private constructor(
    private readonly folder: string,
    private readonly mongod: EmbeddedDatabase,
    readonly client: mongo.MongoClient,
    readonly load: LoadProcess,
    readonly version: string,
    private readonly mongodPid: number,
  ) {}

  static async start(): Promise<BenchHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'pillwatch-bench-'));
    const mongod = await startEmbeddedDatabase({ dataDir: folder, cacheSizeGb: 4 });
    const client = await new mongo.MongoClient(mongod.uri, {
      writeConcern: { w: 'majority', journal: true },
    }).connect();
    const { version, pid } = (await client.db().admin().serverStatus()) as { version: string; pid: number };
    return new BenchHarness(folder, mongod, client, await LoadProcess.start(), version, pid);
  }

  /** An empty database that no measurement has used. */
  newDatabase(of: string): mongo.Db {
    this.databases += 1;
    return this.client.db(`${of}_${this.databases}`);
  }

  /** A fleet without alerts, made once and shared: each measurement leaves it as it was. */
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

  /** mongod's time on the processor so far. Milliseconds. */
  mongodCpuMs(): number {
    return cpuMsOf(this.mongodPid);
  }

  /** device-api as an operator starts it, without a rate limit. */
  deviceApi(db: mongo.Db, env: Record<string, string> = {}): Promise<ServiceProcess> {
    return this.run('device-api', db, { DEVICE_RATE_LIMIT: 'off', GATEWAY_RATE_LIMIT: 'off', ...env });
  }

  notifier(db: mongo.Db, env: Record<string, string> = {}): Promise<ServiceProcess> {
    return this.run('notifier', db, env);
  }

  supportApi(db: mongo.Db, env: Record<string, string> = {}): Promise<ServiceProcess> {
    return this.run('support-api', db, { KEEP_ADMIN_TOKEN: 'true', SECOND_FACTOR: 'off', ...env });
  }

  /** One of tools/bench/baselines. */
  baseline(name: string, db: mongo.Db): Promise<ServiceProcess> {
    return this.run('baseline', db, {}, `dist/tools/bench/baselines/${name}.js`);
  }

  private async run(
    name: string,
    db: mongo.Db,
    env: Record<string, string>,
    script?: string,
  ): Promise<ServiceProcess> {
    const settings = { NODE_ENV: 'production', MONGODB_URI: this.uriOf(db), ...env };
    const service = new ServiceProcess(name, await freePort(), settings, script);
    await service.start();
    return service;
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
