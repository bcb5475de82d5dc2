import { eventually } from '../../tools/harness/eventually.js';
import type { FaultHarness } from './fault-harness.js';
import { Load } from './load.js';
import { CLIENTS, WORKERS, WorkerService } from './worker-service.js';

const LIMIT_MS = 10_000;

let harness: FaultHarness;
let service: WorkerService;

beforeAll(async () => {
  harness = await WorkerService.startHarness();
  service = await WorkerService.start(harness);
});

afterAll(() => harness?.stop());

it('kill -9 of a worker under load: the service goes on, the worker is replaced, nothing acknowledged is lost', async () => {
  const before = await service.stored();
  const load = service.load();
  await eventually(() => expect(load.stored).toBeGreaterThan(2 * CLIENTS));
  const workers = await service.device.children();
  process.kill(workers[0]!, 'SIGKILL');
  const then = load.stored;
  await eventually(() => expect(load.stored).toBeGreaterThan(then + 2 * CLIENTS));
  const replaced = await eventually(async () => {
    const now = await service.device.children();
    expect(now).toHaveLength(WORKERS);
    expect(now).not.toContain(workers[0]);
    expect(await service.device.readiness()).toBe(200);
    return now;
  });
  expect(replaced).toContain(workers[1]);
  await load.end();
  // each client may lose the one connection that it had with the worker that died, and nothing else
  expect(load.failures.length).toBeLessThanOrEqual(CLIENTS);
  expect(load.failures.filter((failure) => !/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(failure))).toEqual([]);
  const stored = (await service.stored()) - before;
  expect(stored).toBeGreaterThanOrEqual(load.stored);
  expect(stored).toBeLessThanOrEqual(load.stored + load.failures.length);
});

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s to all of its processes under load: no accepted request fails, and it exits 0 within 10 s',
  async (signal) => {
    const device = await harness.run('device-api');
    const before = await service.stored();
    const load = new Load(device.url, service.tokens);
    await eventually(() => expect(load.stored).toBeGreaterThan(5 * CLIENTS));
    const workers = await device.children();
    expect(workers).toHaveLength(WORKERS);
    // as a terminal and systemd do it
    for (const worker of workers) process.kill(worker, signal);
    const exit = await device.end(signal);
    await load.finished();
    expect(load.failures).toEqual([]);
    expect(exit).toMatchObject({ code: 0, signal: null });
    expect(exit.ms).toBeLessThan(LIMIT_MS);
    expect((await service.stored()) - before).toBe(load.stored);
  },
);
