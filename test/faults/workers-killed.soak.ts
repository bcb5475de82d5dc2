import { eventually } from '../../tools/harness/eventually.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';
import { Load } from './load.js';

const WORKERS = 2;
const CLIENTS = 40;
const LIMIT_MS = 10_000;
/** Of each client: 40 send some 400 reports a second. */
const PAUSE_MS = 100;

let harness: FaultHarness;
let device: ServiceProcess;
let tokens: string[];

beforeAll(async () => {
  harness = await FaultHarness.start({ DEVICE_API_WORKERS: String(WORKERS) });
  const support = await harness.run('support-api');
  device = await harness.run('device-api');
  tokens = (await harness.register(support, CLIENTS)).map(({ token }) => token);
});

afterAll(() => harness?.stop());

const logged = (): Promise<number> => harness.db.collection('bottle_heartbeats').countDocuments();

it('kill -9 of a worker under load: the service goes on, the worker is replaced, nothing acknowledged is lost', async () => {
  const before = await logged();
  const load = new Load(device.url, tokens, PAUSE_MS);
  await eventually(() => expect(load.stored).toBeGreaterThan(2 * CLIENTS));
  const workers = await device.children();
  process.kill(workers[0]!, 'SIGKILL');
  const then = load.stored;
  await eventually(() => expect(load.stored).toBeGreaterThan(then + 2 * CLIENTS));
  const replaced = await eventually(async () => {
    const now = await device.children();
    expect(now).toHaveLength(WORKERS);
    expect(now).not.toContain(workers[0]);
    expect(await device.readiness()).toBe(200);
    return now;
  });
  expect(replaced).toContain(workers[1]);
  await load.end();
  // each client may lose the one connection that it had with the worker that died, and nothing else
  expect(load.failures.length).toBeLessThanOrEqual(CLIENTS);
  expect(load.failures.filter((failure) => !/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(failure))).toEqual([]);
  const stored = (await logged()) - before;
  expect(stored).toBeGreaterThanOrEqual(load.stored);
  expect(stored).toBeLessThanOrEqual(load.stored + load.failures.length);
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to all of its processes under load: no accepted request fails, and it exits 0 within 10 s',
  async (signal) => {
    const service = await harness.run('device-api');
    const before = await logged();
    const load = new Load(service.url, tokens);
    await eventually(() => expect(load.stored).toBeGreaterThan(5 * CLIENTS));
    const workers = await service.children();
    expect(workers).toHaveLength(WORKERS);
    // as a terminal and systemd do it
    for (const worker of workers) process.kill(worker, signal);
    const exit = await service.end(signal);
    await load.finished();
    expect(load.failures).toEqual([]);
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.ms).toBeLessThan(LIMIT_MS);
    expect((await logged()) - before).toBe(load.stored);
  },
);
