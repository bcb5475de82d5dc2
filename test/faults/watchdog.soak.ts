import { MINUTE_MS } from '#domain';
import { loadConfig, ManualClock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WatchdogConfig } from '../../apps/watchdog/src/config.js';
import { nextCycleAt } from '../../apps/watchdog/src/cycle.js';
import { createWatchdog } from '../../apps/watchdog/src/watchdog.app.js';
import { WatchdogService } from '../../apps/watchdog/src/watchdog.service.js';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { DeadMansSwitch, type Ping } from '../../tools/harness/dead-mans-switch.js';
import { MailRelay } from '../../tools/harness/mail-relay.js';
import { holdStill } from '../../tools/harness/service-process.js';
import {
  ADMIN_TOKEN,
  asAdmin,
  startDeviceApi,
  startNotifier,
  startSupportApi,
  type TestNotifier,
} from '../../tools/harness/services.js';
import { SteadyCoverage, stopBeating } from '../../tools/harness/steady-coverage.js';
import { FaultHarness } from './fault-harness.js';
import { WEBHOOK_SECRET } from '../../tools/harness/webhook-receiver.js';

/**
 * What the dead man's switch notices, and after how long by the services' clocks, which the test sets. A service that
 * is killed or hangs is one whose server is closed or never answers, and whose jobs do not run; mongod is a process that
 * is stopped (SIGSTOP) or shut down.
 */
const CYCLE = 15 * MINUTE_MS;
const MOST_CYCLES = 3;
/** Less than a leg may take. */
const LONG_STEP = 2 * MINUTE_MS;
const OFF = 10 * MINUTE_MS;

type Part = 'device-api' | 'support-api' | 'notifier' | 'watchdog';

let harness: FaultHarness;
let device: NestFastifyApplication;
let support: NestFastifyApplication;
let notifier: TestNotifier;
let dog: NestFastifyApplication;
let deadMan: DeadMansSwitch;
let relay: MailRelay;
let coverage: SteadyCoverage;
const clock = new ManualClock(new Date('2026-03-02T06:14:00Z'));
/** What each part takes for now. */
const clockOf = Object.fromEntries(
  ['device-api', 'support-api', 'notifier', 'watchdog'].map((part) => [part, new ManualClock(clock.now())]),
) as Record<Part, ManualClock>;
const off: Partial<Record<Part, number>> = {};
/** Those that do nothing. */
const still = new Set<Part>();
/** Those whose server answers nothing. */
const hanging = new Set<Part>();
const noticed: string[] = [];

beforeAll(async () => {
  harness = await FaultHarness.start();
  deadMan = await DeadMansSwitch.start(clock);
  const { uri } = harness.database;
  const [port, smtpPort] = await Promise.all([freePort(), freePort()]);
  relay = await MailRelay.start({ 'canary.example.test': smtpPort });
  [device, support, notifier] = await Promise.all([
    startDeviceApi(uri, clockOf['device-api'], {}, { configure: (app) => mayHang(app, 'device-api') }),
    startSupportApi(uri, clockOf['support-api'], {}, { configure: (app) => mayHang(app, 'support-api') }),
    startNotifier(uri, clockOf.notifier, {
      WEBHOOK_URL: harness.receiver.url,
      WEBHOOK_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      CANARY_WEBHOOK_URL: `http://127.0.0.1:${port}/webhook`,
      SMTP_URL: relay.url,
      SMTP_ALLOW_PLAIN: 'true',
    }),
  ]);
  await stopBeating(device);
  coverage = new SteadyCoverage(device, clock);
  await Promise.all([device, support].map((app) => app.listen(0, '127.0.0.1')));
  const { body } = await asAdmin(support).post('/v1/canaries').expect(201);
  const { bottle_id, token } = body as { bottle_id: string; token: string };
  await asAdmin(support)
    .put(`/v1/contacts/canary-${bottle_id}`)
    .send({ webhook: true, email: `${bottle_id}@canary.example.test`, email_verified: true })
    .expect(201);
  const config = loadConfig(WatchdogConfig, {
    WATCHDOG_PING_URL: deadMan.url,
    WATCHDOG_DEVICE_API_URL: await device.getUrl(),
    WATCHDOG_SUPPORT_API_URL: await support.getUrl(),
    WATCHDOG_API_KEY: ADMIN_TOKEN,
    WATCHDOG_BOTTLE_ID: bottle_id,
    WATCHDOG_BOTTLE_TOKEN: token,
    WATCHDOG_SMTP_PORT: String(smtpPort),
    WEBHOOK_SECRET,
  });
  dog = await createWatchdog(config, { clock: clockOf.watchdog, docsPage: false, logs: false });
  await dog.listen(port, '127.0.0.1');
});

afterAll(async () => {
  process.stdout.write(`${noticed.join('\n')}\n`);
  await Promise.all([dog, device, support, notifier?.app].map((app) => app?.close()));
  deadMan?.stop();
  await relay?.stop();
  await harness?.stop();
});

/** Lets everything that runs do what is due now, then lets time pass. */
async function pass(ms: number): Promise<void> {
  for (const [part, own] of Object.entries(clockOf))
    own.set(new Date(clock.now().getTime() + (off[part as Part] ?? 0)));
  const does = (part: Part, work: () => Promise<unknown>): Promise<unknown> =>
    still.has(part) ? Promise.resolve() : work().catch(() => undefined);
  await does('device-api', () => coverage.record());
  await does('watchdog', () => dog.get(WatchdogService).tick());
  await does('notifier', () => notifier.runAll());
  await relay.untilIdle();
  await does('watchdog', () => dog.get(WatchdogService).tick());
  clock.advance(ms);
}

/** Lets cycles pass until the switch has fired, or no longer fires. @returns after how long; milliseconds */
async function until(isOver: () => boolean, isSlow = false): Promise<number> {
  const began = clock.now().getTime();
  const passed = (): number => clock.now().getTime() - began;
  const stepMs = isSlow ? LONG_STEP : MINUTE_MS;
  // between two cycles nothing is expected
  if (isSlow) await pass(nextCycleAt(clock.now()).getTime() - began);
  while (!isOver() && passed() < MOST_CYCLES * CYCLE) await pass(stepMs);
  return passed();
}

const answer = async (part: Part): Promise<void> => void still.delete(part);

/** Nothing that it is sent is answered. @returns how it goes on */
function hang(part: 'device-api' | 'support-api'): () => Promise<void> {
  hanging.add(part);
  still.add(part);
  return async () => {
    hanging.delete(part);
    await answer(part);
  };
}

/** Leaves a request that arrives while its service hangs unanswered for ever. */
function mayHang(app: NestFastifyApplication, part: Part): void {
  const hooks = app.getHttpAdapter().getInstance();
  hooks.addHook('onRequest', (_request, _reply, done) => {
    if (!hanging.has(part)) done();
  });
}

/** Its port is closed. @returns how it is started again */
async function kill(part: 'device-api' | 'support-api' | 'watchdog'): Promise<() => Promise<void>> {
  const server = serverOf(part);
  const { port } = server.address() as AddressInfo;
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  still.add(part);
  return async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await answer(part);
  };
}

const serverOf = (part: 'device-api' | 'support-api' | 'watchdog'): Server =>
  ({ 'device-api': device, 'support-api': support, watchdog: dog })[part].getHttpServer();

/** @returns how it is set right */
function setOff(part: Part, ms: number): () => Promise<void> {
  off[part] = ms;
  return async () => void delete off[part];
}

interface Fault {
  fault: string;
  /** @returns how it ends */
  inflict(): (() => Promise<void>) | Promise<() => Promise<void>>;
  /** What hangs takes the test's time: fewer steps. */
  isSlow?: boolean;
}

const FAULTS: Fault[] = [
  { fault: 'device-api killed', inflict: () => kill('device-api') },
  { fault: 'device-api hangs', inflict: () => hang('device-api'), isSlow: true },
  { fault: 'support-api killed', inflict: () => kill('support-api') },
  { fault: 'support-api hangs', inflict: () => hang('support-api'), isSlow: true },
  {
    // to others there is no difference
    fault: 'notifier killed or hangs',
    inflict: () => {
      still.add('notifier');
      return () => answer('notifier');
    },
  },
  {
    fault: 'mongod shut down',
    inflict: async () => {
      await harness.stopDatabase();
      return () => harness.returnDatabase();
    },
    isSlow: true,
  },
  {
    fault: 'mongod hangs (SIGSTOP)',
    inflict: async () => {
      const { pid } = harness.database;
      await holdStill(pid);
      return async () => void process.kill(pid, 'SIGCONT');
    },
    isSlow: true,
  },
  {
    fault: 'mongod takes no writes (fsyncLock)',
    inflict: async () => {
      const admin = harness.client.db('admin');
      await admin.command({ fsync: 1, lock: true });
      return async () => void (await admin.command({ fsyncUnlock: 1 }));
    },
    isSlow: true,
  },
  {
    fault: 'the notifier does not reach the watchdog',
    inflict: async () => {
      const goOn = await kill('watchdog');
      await answer('watchdog');
      return goOn;
    },
  },
  {
    fault: 'mail server killed',
    inflict: async () => {
      await relay.setUp(false);
      return () => relay.setUp(true);
    },
  },
  {
    fault: 'the mail server takes mails and delivers none',
    inflict: () => {
      relay.isLosing = true;
      return async () => void (relay.isLosing = false);
    },
  },
  { fault: 'watchdog killed', inflict: () => kill('watchdog') },
  { fault: 'clock of device-api 10 min ahead', inflict: () => setOff('device-api', OFF) },
  { fault: 'clock of the notifier 10 min ahead', inflict: () => setOff('notifier', OFF) },
  { fault: 'clock of the watchdog 10 min ahead', inflict: () => setOff('watchdog', OFF) },
  { fault: 'clock of the watchdog 10 min behind', inflict: () => setOff('watchdog', -OFF) },
];

/** A failure with its reason. */
const pathAndReason = ({ path, body }: Ping): string => (path.endsWith('/fail') ? `${path}: ${body}` : path);

it('does not fire while all is well', async () => {
  await until(() => deadMan.pings.length > 5);
  expect(deadMan.alarm).toBeUndefined();
  expect(deadMan.pings.map(pathAndReason).slice(0, 4)).toEqual([
    '/check/start',
    '/check',
    '/check/start',
    '/check',
  ]);
});

it('does not fire in long steps either', async () => {
  const before = deadMan.pings.length;
  await until(() => deadMan.pings.length > before + 3, true);
  expect(deadMan.pings.slice(before).map(pathAndReason)).toEqual([
    '/check/start',
    '/check',
    '/check/start',
    '/check',
  ]);
  expect(deadMan.alarm).toBeUndefined();
});

it.each(FAULTS)('fires within three cycles, and no longer afterwards: $fault', async (one) => {
  await until(() => deadMan.alarm === undefined && deadMan.pings.at(-1)?.path === '/check');
  const end = await one.inflict();
  const ms = await until(() => deadMan.alarm !== undefined, one.isSlow);
  const { alarm } = deadMan;
  await end();
  if (/device-api|mongod/.test(one.fault)) coverage = new SteadyCoverage(device, clock);
  noticed.push(`${one.fault}: ${alarm === undefined ? 'not noticed' : `${ms / MINUTE_MS} min, ${alarm}`}`);
  expect(alarm).toBeDefined();
  await until(() => deadMan.alarm === undefined);
  expect(deadMan.alarm).toBeUndefined();
});
