import { join } from 'node:path';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { Gate } from './bottle/gate.js';
import { SupportClient } from './support-client.js';
import { ADMIN_TOKEN, STAFF_SETTINGS } from './services.js';
import { type ServiceName, ServiceProcess } from './service-process.js';
import { WEBHOOK_SECRET } from './webhook-receiver.js';

const EVERY_SECOND = '* * * * * *';
/** As many requests of one caller as support-api has in progress: the others' time for an answer would pass in its queue. */
const AT_ONCE = 6;
const ON_LEAP_DAYS = '0 0 29 2 *';

/** Where the services find what they work with. */
interface Surroundings {
  databaseUri: string;
  webhookUrl: string;
}

interface RunOptions {
  /** Any free one unless given. */
  port?: number;
  /** The folder of another release, compiled. */
  release?: string;
}

/** The product's processes on one database, as many as are asked for. */
export class ServiceProcesses {
  private readonly processes: ServiceProcess[] = [];

  /** @param env settings that differ from these: checks every second, no reconcile to hide a loss. */
  constructor(
    private readonly surroundings: Surroundings,
    private readonly env: Record<string, string>,
  ) {}

  /** One process, started. @param env settings of its own */
  async run(
    name: ServiceName,
    env: Record<string, string> = {},
    { port, release = '' }: RunOptions = {},
  ): Promise<ServiceProcess> {
    const settings = {
      MONGODB_URI: this.surroundings.databaseUri,
      ...STAFF_SETTINGS,
      DEVICE_RATE_LIMIT: 'off',
      CHECK_OPEN_BOTTLES_CRON: EVERY_SECOND,
      CHECK_SILENT_BOTTLES_CRON: EVERY_SECOND,
      CHECK_DOSES_CRON: EVERY_SECOND,
      RECONCILE_CRON: ON_LEAP_DAYS,
      // most of these small fleets is meant to go wrong
      FLEET_INCIDENT_BOTTLES: '1000000',
      WEBHOOK_URL: this.surroundings.webhookUrl,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...this.env,
      ...env,
    };
    const script = join(release, `dist/apps/${name}/src/main.js`);
    const service = new ServiceProcess(name, port ?? (await freePort()), settings, script);
    this.processes.push(service);
    await service.start();
    return service;
  }

  /** What they have logged as errors, line by line. */
  get errors(): string[] {
    return this.processes.flatMap(({ errors }) => errors);
  }

  /** Registers bottles through a running support-api. @param more of their registration */
  async register(
    support: ServiceProcess,
    count: number,
    more: object = {},
  ): Promise<{ id: string; token: string }[]> {
    const client = new SupportClient({ support: support.url, adminToken: ADMIN_TOKEN });
    const bottle = {
      user_id: 'willcross1024',
      medication: 'Cordrazine',
      time_zone: 'Europe/Berlin',
      ...more,
    };
    const gate = new Gate(AT_ONCE);
    const answers = await Promise.all(
      Array.from({ length: count }, () => gate.run(() => client.register(bottle))),
    );
    return answers.map(({ status, body }) => {
      if (!body) throw new Error(`register: ${status}`);
      return { id: body.bottle_id, token: body.token };
    });
  }

  /** Ends all of them, whatever their state. */
  async dispose(): Promise<void> {
    await Promise.all(this.processes.map((service) => service.dispose()));
  }
}
