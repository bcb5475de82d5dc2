import { MINUTE_MS } from '#domain';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { eventually } from '../../tools/harness/eventually.js';
import { MachineClock } from '../../tools/harness/machine-clock.js';
import { holdStill, ServiceProcess } from '../../tools/harness/service-process.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { FaultHarness } from '../faults/fault-harness.js';
import { Monitoring, type Notice } from './monitoring.js';
import { FACTOR } from './time-scale.js';
import { WEBHOOK_SECRET } from '../../tools/harness/webhook-receiver.js';

/**
 * Which faults the shipped rules and routes notice, judged by Prometheus and Alertmanager with every duration divided
 * by FACTOR, while real processes are killed and stopped. What the dead man's switch of the watchdog notices is judged
 * in test/faults/watchdog.soak.ts.
 */
const OPERATIONS_KEY = 'an-operations-key-of-this-test-0123456789';
/** What docs/operations.md gives Alertmanager's dead man's switch, divided by FACTOR. Milliseconds. */
const SWITCH_MS = (5 * MINUTE_MS) / FACTOR;
/** More than PillwatchReceiverFails wants of attempts that failed. */
const BOTTLES = 8;
/** In each of them at first. */
const PILLS = 30;
/** Between two heartbeats of a bottle. Milliseconds. */
const EVERY_MS = 250;
/** At most so long, on a slow machine, until a fault or its end is noticed. Milliseconds. */
const NOTICED_MS = 3 * MINUTE_MS;
/** A bottle waits so long for an answer: longer than a command to the database may take. Milliseconds. */
const ANSWER_MS = 15_000;

const NAMES = ['device-api', 'support-api', 'notifier', 'watchdog'] as const;
type Name = (typeof NAMES)[number];

let harness: FaultHarness;
let monitoring: Monitoring;
let traffic: NodeJS.Timeout;
let bottles: { id: string; token: string }[];
let clocks: Record<'device-api' | 'notifier', MachineClock>;
const services: Partial<Record<Name, ServiceProcess>> = {};

beforeAll(async () => {
  harness = await FaultHarness.start({ OPERATIONS_KEY });
  clocks = { 'device-api': await MachineClock.create(), notifier: await MachineClock.create() };
  for (const name of ['support-api', 'device-api', 'notifier'] as const)
    services[name] = await harness.run(name, {
      CANARY_WEBHOOK_URL: 'http://127.0.0.1:9/webhook',
      ...(name !== 'support-api' && clocks[name].env),
    });
  const support = services['support-api']!;
  bottles = await harness.register(support, BOTTLES, {
    number_of_pills: PILLS,
    schedule: { kind: 'as_needed', max_per_day: 1 },
  });
  const canary = await fetch(`${support.url}/v1/canaries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  const { bottle_id, token } = (await canary.json()) as { bottle_id: string; token: string };
  services['watchdog'] = new ServiceProcess('watchdog', await freePort(), {
    OPERATIONS_KEY,
    WATCHDOG_PING_URL: 'http://127.0.0.1:9/check',
    WATCHDOG_DEVICE_API_URL: services['device-api']!.url,
    WATCHDOG_SUPPORT_API_URL: support.url,
    WATCHDOG_API_KEY: ADMIN_TOKEN,
    WATCHDOG_BOTTLE_ID: bottle_id,
    WATCHDOG_BOTTLE_TOKEN: token,
    WEBHOOK_SECRET,
  });
  await services['watchdog'].start();
  const targets = Object.entries(services).map(([name, { url }]): [string, string] => [
    name,
    new URL(url).host,
  ]);
  monitoring = await Monitoring.start(Object.fromEntries(targets), OPERATIONS_KEY);
  traffic = setInterval(() => bottles.forEach(({ token }) => report(token)), EVERY_MS);
});

afterAll(async () => {
  clearInterval(traffic);
  await services['watchdog']?.dispose();
  await monitoring?.stop();
  await harness?.stop();
  await Promise.all(Object.values(clocks ?? {}).map((clock) => clock.remove()));
});

/** Takes more than is prescribed out of a bottle: somebody is owed a notification. */
async function removePills(token: string): Promise<void> {
  const { ok, status } = await fetch(`${services['device-api']!.url}/v1/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      action: 'closed',
      time: new Date().toISOString(),
      mass_of_contents: PILLS - 5,
      number_of_pills: PILLS - 5,
      pills_taken: 5,
    }),
  });
  if (!ok) throw new Error(`an action was answered with ${status}`);
}

/** Sends a heartbeat, whatever becomes of it. */
function report(token: string): void {
  void fetch(`${services['device-api']!.url}/v1/heartbeats`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined);
}

const heartbeats = (): Notice[] =>
  monitoring.notices.filter(({ name }) => name === 'PillwatchPrometheusAlive');

/** A line of the table. */
function note(fault: string, by: string, ms: number): void {
  const shipped = (ms * FACTOR) / MINUTE_MS;
  process.stdout.write(
    `${fault}: ${by}, ${(ms / 1_000).toFixed(1)} s; as shipped ${shipped.toFixed(1)} min\n`,
  );
}

/** Waits until all services answer Prometheus and these alerts are over. */
async function allWell(...names: string[]): Promise<void> {
  await eventually(async () => {
    expect(await monitoring.up()).toEqual(['device-api', 'notifier', 'support-api', 'watchdog']);
    const active = await monitoring.active();
    expect(names.filter((name) => active.includes(name))).toEqual([]);
  });
}

interface Fault {
  fault: string;
  alert: string;
  service?: string;
  /** Who gets the alert; the pager unless given. */
  receiver?: Notice['receiver'];
  /** @returns how it ends */
  inflict: () => Promise<() => unknown>;
}

const killed = (name: Name): Fault => ({
  fault: `${name} killed`,
  alert: 'PillwatchServiceAbsent',
  service: name,
  inflict: async () => {
    await services[name]!.end('SIGKILL');
    return () => services[name]!.start();
  },
});

const hangs = (name: Name): Fault => ({
  fault: `${name} hangs`,
  alert: 'PillwatchServiceAbsent',
  service: name,
  inflict: async () => {
    await services[name]!.holdStill();
    return () => services[name]!.goOn();
  },
});

const clockOff = (name: 'device-api' | 'notifier'): Fault => ({
  fault: `the clock of ${name} is 10 min ahead`,
  alert: 'PillwatchMachineClockOff',
  service: name,
  receiver: 'tickets',
  inflict: async () => {
    await clocks[name].setOff(10 * MINUTE_MS);
    return () => clocks[name].setOff(0);
  },
});

/** Each takes a minute or two. */
const FAULTS: Fault[] = [
  ...NAMES.flatMap((name) => [killed(name), hangs(name)]),
  {
    fault: 'mongod hangs',
    alert: 'PillwatchDatabaseDown',
    inflict: async () => {
      const { pid } = harness.database;
      await holdStill(pid);
      return () => process.kill(pid, 'SIGCONT');
    },
  },
  {
    fault: 'mongod shut down',
    alert: 'PillwatchDatabaseDown',
    inflict: async () => {
      await harness.stopDatabase();
      return () => harness.returnDatabase();
    },
  },
  {
    fault: 'mongod takes no writes (fsyncLock)',
    // it answers, and refuses each write in time
    alert: 'PillwatchReportsNotStored',
    inflict: async () => {
      const admin = harness.client.db('admin');
      await admin.command({ fsync: 1, lock: true });
      return () => admin.command({ fsyncUnlock: 1 });
    },
  },
  {
    fault: 'the outbound network is cut',
    alert: 'PillwatchReceiverFails',
    inflict: async () => {
      await harness.receiver.behave('refuses');
      await Promise.all(bottles.map(({ token }) => removePills(token)));
      return () => harness.receiver.behave('works');
    },
  },
  clockOff('device-api'),
  clockOff('notifier'),
];

it('nothing but the heartbeat fires while all is well', async () => {
  await allWell('PillwatchServiceAbsent', 'PillwatchServiceDown');
  const began = Date.now();
  const since = (): Notice[] => monitoring.notices.filter(({ at }) => at > began);
  await eventually(() => expect(since().length).toBeGreaterThan(2), MINUTE_MS);
  const started = since().filter(({ startsAt }) => startsAt > began);
  expect(started.map(({ name }) => name)).toEqual([]);
});

it.each(FAULTS)('is noticed: $fault', async ({ fault, alert, service, receiver = 'pager', inflict }) => {
  await allWell(alert);
  monitoring.resolved.length = 0;
  const began = Date.now();
  const end = await inflict();
  try {
    const { at } = await eventually(() => {
      const found = monitoring.notices.find(
        ({ name, labels, startsAt }) =>
          name === alert && startsAt >= began && (service === undefined || labels['service'] === service),
      );
      expect(found).toMatchObject({ receiver });
      return found!;
    }, NOTICED_MS);
    note(fault, `${alert}, ${receiver}`, at - began);
    // it must not suppress the sign that Prometheus and Alertmanager work
    const before = heartbeats().length;
    await eventually(() => expect(heartbeats().length).toBeGreaterThan(before + 2), NOTICED_MS);
  } finally {
    await end();
  }
  // until then, Alertmanager takes what fires next for the same and waits
  await eventually(() => expect(monitoring.resolved).toContain(alert), NOTICED_MS);
});

it.each(['prometheus', 'alertmanager'] as const)('the heartbeat stops: %s killed', async (name) => {
  await eventually(() => expect(heartbeats().length).toBeGreaterThan(0));
  await monitoring.kill(name);
  const last = (): number => heartbeats().at(-1)!.at;
  await eventually(() => expect(Date.now() - last()).toBeGreaterThan(SWITCH_MS), NOTICED_MS);
  note(`${name} killed`, 'dead man’s switch: no PillwatchPrometheusAlive', Date.now() - last());
  const before = heartbeats().length;
  await monitoring.run(name);
  await eventually(() => expect(heartbeats().length).toBeGreaterThan(before));
});
