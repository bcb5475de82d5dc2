import { mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../libs/platform/src/embedded-database/index.js';
import { WEBHOOK_SECRET, WebhookReceiver } from '../../tools/harness/webhook-receiver.js';
import { ServiceProcesses } from '../../tools/harness/service-processes.js';

/** Its own mongod, a receiver, and real service processes to inject faults into. */
export class FaultHarness extends ServiceProcesses {
  private constructor(
    private readonly folder: string,
    env: Record<string, string>,
    public database: EmbeddedDatabase,
    readonly client: mongo.MongoClient,
    readonly receiver: WebhookReceiver,
  ) {
    super({ databaseUri: database.uri, webhookUrl: receiver.url }, env);
  }

  /** @param env settings that differ from those of {@link ServiceProcesses}. */
  static async start(env: Record<string, string> = {}): Promise<FaultHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'pillwatch-faults-'));
    const database = await startEmbeddedDatabase({ dataDir: folder, cacheSizeGb: 0.25 });
    const client = await new mongo.MongoClient(database.uri, {
      serverSelectionTimeoutMS: 120_000,
    }).connect();
    const receiver = await WebhookReceiver.start({ secret: WEBHOOK_SECRET });
    return new FaultHarness(folder, env, database, client, receiver);
  }

  get db(): mongo.Db {
    return this.client.db();
  }

  /** Shuts mongod down cleanly; it stays down until `returnDatabase`. */
  async stopDatabase(): Promise<void> {
    await this.database.stop();
  }

  /** The same database, on the same port with the same data. */
  async returnDatabase(): Promise<void> {
    this.database = await startEmbeddedDatabase({ dataDir: this.folder, cacheSizeGb: 0.25 });
  }

  async stop(): Promise<void> {
    await this.dispose();
    await this.receiver.stop();
    await this.client.close();
    await this.database.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
