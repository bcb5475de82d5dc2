import { loadConfig, type ManualClock, SystemClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import supertest from 'supertest';
import { DeviceApiConfig } from '../../apps/device-api/src/config.js';
import { createDeviceApi } from '../../apps/device-api/src/device-api.app.js';
import { DosesCheck } from '../../apps/notifier/src/doses/doses.check.js';
import { OpenBottlesCheck } from '../../apps/notifier/src/alert-kinds/bottle-open/open-bottles.check.js';
import { SilentBottlesCheck } from '../../apps/notifier/src/alert-kinds/bottle-silent/silent-bottles.check.js';
import { CHECKS } from '../../apps/notifier/src/alert-kinds/index.js';
import { NotifierConfig } from '../../apps/notifier/src/config.js';
import { OutboxService } from '../../apps/notifier/src/delivery/outbox.service.js';
import { StaffBrowsers } from '../../apps/notifier/src/delivery/channels/push/staff-browsers.js';
import { EndpointUpkeep } from '../../apps/notifier/src/delivery/channels/webhook/endpoint-upkeep.js';
import { Deliverer } from '../../apps/notifier/src/delivery/deliverer.js';
import { createNotifier } from '../../apps/notifier/src/notifier.app.js';
import { Reconcile } from '../../apps/notifier/src/reconcile/reconcile.js';
import { ChangeFeed } from '../../apps/support-api/src/live/change-feed.js';
import { SupportApiConfig } from '../../apps/support-api/src/config.js';
import { createSupportApi } from '../../apps/support-api/src/support-api.app.js';

export const ADMIN_TOKEN = 'test-admin-token-0123456789-0123456789';
/** support-api's settings for tests: {@link ADMIN_TOKEN} stays while admins have accounts, who sign in with a password. */
export const STAFF_SETTINGS = {
  ADMIN_TOKEN,
  KEEP_ADMIN_TOKEN: 'true',
  SECOND_FACTOR: 'off',
  SESSION_IDLE_TIMEOUT: '13h',
} as const;
/** `/metrics` and `/docs` answer without a key. */
const OPEN = { OPERATIONS_KEY: 'off' };
const QUIET = { docsPage: false, logs: false } as const;

type Env = Record<string, string>;

async function ready(app: NestFastifyApplication): Promise<NestFastifyApplication> {
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

/**
 * device-api as `main.ts` builds it, without a port.
 *
 * @param options.counting whether it counts for the charts
 * @param options.configure called before the app is ready, to add hooks
 * @param options.logs whether it logs
 */
export async function startDeviceApi(
  uri: string,
  clock?: ManualClock,
  env: Env = {},
  options: { counting?: boolean; configure?: (app: NestFastifyApplication) => void; logs?: boolean } = {},
): Promise<NestFastifyApplication> {
  const config = loadConfig(DeviceApiConfig, {
    MONGODB_URI: uri,
    DEVICE_RATE_LIMIT: 'off',
    ...OPEN,
    WRONG_TOKEN_LIMIT: 'off',
    ...env,
  });
  const { counting = true, configure, logs = false } = options;
  const app = await createDeviceApi(config, { ...QUIET, logs, counting, ...(clock ? { clock } : {}) });
  configure?.(app);
  return ready(app);
}

/**
 * support-api as `main.ts` builds it, without a port.
 *
 * @param options.configure called before the app is ready, to add hooks
 * @param options.console the folder of the console's files
 * @param options.live whether pages can follow it: its change feed wakes at every write of every test
 * @param options.logs whether it logs
 */
export async function startSupportApi(
  uri: string,
  clock?: ManualClock,
  env: Env = {},
  options: {
    configure?: (app: NestFastifyApplication) => void;
    console?: string;
    live?: boolean;
    logs?: boolean;
  } = {},
): Promise<NestFastifyApplication> {
  const config = loadConfig(SupportApiConfig, {
    MONGODB_URI: uri,
    WRONG_TOKEN_LIMIT: 'off',
    STAFF_RATE_LIMIT: 'off',
    ...STAFF_SETTINGS,
    ...OPEN,
    ...env,
  });
  const { configure, live = false, ...more } = options;
  const app = await createSupportApi(config, { ...QUIET, ...(clock ? { clock } : {}), ...more });
  configure?.(app);
  await ready(app);
  if (!live) await app.get(ChangeFeed).stop();
  return app;
}

/** A notifier whose jobs the caller runs. */
export interface TestNotifier {
  app: NestFastifyApplication;
  silent: SilentBottlesCheck;
  open: OpenBottlesCheck;
  doses: DosesCheck;
  reconcile: Reconcile;
  deliverer: Deliverer;
  /** Escalation steps, and ends. */
  escalate(): Promise<void>;
  /** `escalate`, then the queue. */
  deliver(): Promise<void>;
  /** Every check once, then `deliver`. */
  runAll(): Promise<void>;
}

/** @param options.jobs whether its own jobs run, too */
export async function startNotifier(
  uri: string,
  clock?: ManualClock,
  env: Env = {},
  { jobs = false }: { jobs?: boolean } = {},
): Promise<TestNotifier> {
  const config = loadConfig(NotifierConfig, { MONGODB_URI: uri, ...OPEN, ...env });
  const app = await ready(await createNotifier(config, { ...QUIET, jobs, ...(clock ? { clock } : {}) }));
  const [silent, open, doses] = [app.get(SilentBottlesCheck), app.get(OpenBottlesCheck), app.get(DosesCheck)];
  const [reconcile, deliverer] = [app.get(Reconcile), app.get(Deliverer)];
  const now = (): Date => (clock ?? new SystemClock()).now();
  const escalate = (): Promise<void> => app.get(OutboxService).queueOwed(now());
  const deliver = async (): Promise<void> => {
    await escalate();
    await deliverer.run();
  };
  const runAll = async (): Promise<void> => {
    await app.get(StaffBrowsers).refresh();
    await app.get(EndpointUpkeep).run();
    // silence first: it inhibits the other alerts of a bottle
    await silent.run();
    for (const { type } of CHECKS) if (type !== SilentBottlesCheck) await app.get(type).run();
    await deliver();
  };
  return { app, silent, open, doses, reconcile, deliverer, escalate, deliver, runAll };
}

/** A registered bottle, and requests with its token. */
export interface TestBottle {
  id: string;
  token: string;
  post(path: string, body?: object): supertest.Test;
}

/** Registers a bottle through support-api. */
export async function registerBottle(
  support: NestFastifyApplication,
  device: NestFastifyApplication,
  body: object = {},
): Promise<TestBottle> {
  const answer = await supertest(support.getHttpServer())
    .post('/v1/bottles')
    .set('authorization', `Bearer ${ADMIN_TOKEN}`)
    .send({ user_id: 'willcross1024', medication: 'Cordrazine', time_zone: 'Europe/Berlin', ...body });
  if (answer.status !== 201) throw new Error(`register: ${answer.status} ${JSON.stringify(answer.body)}`);
  return bottleWith(device, answer.body as { bottle_id: string; token: string });
}

/** A bottle that was registered, a canary for example. */
export function bottleWith(
  device: NestFastifyApplication,
  { bottle_id: id, token }: { bottle_id: string; token: string },
): TestBottle {
  const post = (path: string, sent?: object): supertest.Test => {
    const request = supertest(device.getHttpServer()).post(path).set('authorization', `Bearer ${token}`);
    return sent ? request.send(sent) : request;
  };
  return { id, token, post };
}

/** A request to support-api with the admin's token. */
export function asAdmin(support: NestFastifyApplication): ReturnType<typeof supertest.agent> {
  return supertest.agent(support.getHttpServer()).set('authorization', `Bearer ${ADMIN_TOKEN}`);
}
