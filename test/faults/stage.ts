import { mongo } from 'mongoose';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../libs/platform/src/embedded-database/index.js';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { SupportClient } from '../../apps/simulator/src/support-client.js';
import { ADMIN_TOKEN } from '../support/services.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { type ServiceName, ServiceProcess } from './service-process.js';

const SECRET = `whsec_${Buffer.from('a secret of at least 24 bytes!').toString('base64')}`;
const EVERY_SECOND = '* * * * * *';
const ON_LEAP_DAYS = '0 0 29 2 *';

/** A mongod of its own, a receiver, and real processes around them: what the faults happen to. */
export class Stage {
  private readonly services: ServiceProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly env: Record<string, string>,
    public database: EmbeddedDatabase,
    readonly client: mongo.MongoClient,
    readonly receiver: WebhookReceiver,
  ) {}

  /** @param env settings that differ from the stage's own: checks every second, no reconcile to hide a loss. */
  static async start(env: Record<string, string> = {}): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'pillwatch-faults-'));
    const database = await startEmbeddedDatabase({ dataDir: folder, cacheSizeGb: 0.25 });
    const client = await new mongo.MongoClient(database.uri, {
      serverSelectionTimeoutMS: 30_000,
    }).connect();
    const receiver = await WebhookReceiver.start(SECRET);
    return new Stage(folder, env, database, client, receiver);
  }

  get db(): mongo.Db {
    return this.client.db();
  }

  /** One process, started; it ends with the stage. */
  async run(name: ServiceName): Promise<ServiceProcess> {
    const service = new ServiceProcess(name, await freePort(), {
      MONGODB_URI: this.database.uri,
      ADMIN_TOKEN,
      DEVICE_RATE_LIMIT: 'off',
      CHECK_OPEN_BOTTLES_CRON: EVERY_SECOND,
      CHECK_SILENT_BOTTLES_CRON: EVERY_SECOND,
      CHECK_DOSES_CRON: EVERY_SECOND,
      RECONCILE_CRON: ON_LEAP_DAYS,
      // most of these small fleets is meant to go wrong
      FLEET_INCIDENT_BOTTLES: '1000000',
      WEBHOOK_URL: this.receiver.url,
      WEBHOOK_SECRET: SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...this.env,
    });
    this.services.push(service);
    await service.start();
    return service;
  }

  /** Stops mongod in order; it stays away until `returnDatabase`. */
  async stopDatabase(): Promise<void> {
    await this.database.stop();
  }

  /** The same database, on the same port with the same data. */
  async returnDatabase(): Promise<void> {
    this.database = await startEmbeddedDatabase({ dataDir: this.folder, cacheSizeGb: 0.25 });
  }

  /** Registers bottles through a running support-api. */
  async register(support: ServiceProcess, count: number): Promise<{ id: string; token: string }[]> {
    const client = new SupportClient({ support: support.url, adminToken: ADMIN_TOKEN });
    const bottle = { user_id: 'willcross1024', medication: 'Cordrazine', time_zone: 'Europe/Berlin' };
    const answers = await Promise.all(Array.from({ length: count }, () => client.register(bottle)));
    return answers.map(({ status, body }) => {
      if (!body) throw new Error(`register: ${status}`);
      return { id: body.bottle_id, token: body.token };
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.dispose()));
    await this.receiver.stop();
    await this.client.close();
    await this.database.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
