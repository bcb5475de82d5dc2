import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { eventually } from '../../tools/harness/eventually.js';
import { holdStill, ServiceProcess } from '../../tools/harness/service-process.js';
import type { FaultHarness } from './fault-harness.js';
import { CLIENTS, WORKERS, WorkerService } from './worker-service.js';

const STORED = 'pillwatch_reports_total{type="heartbeat",result="stored"}';

let harness: FaultHarness;
let service: WorkerService;

beforeAll(async () => {
  harness = await WorkerService.startHarness();
  service = await WorkerService.start(harness);
});

afterAll(() => harness?.stop());

it('workers share the port; health and metrics are of all of them', async () => {
  await eventually(async () => expect(await service.device.children()).toHaveLength(WORKERS));
  const load = service.load();
  await eventually(() => expect(load.stored).toBeGreaterThan(2 * CLIENTS));
  await load.end();
  expect(load.failures).toEqual([]);
  expect(await service.stored()).toBe(load.stored);
  // whichever worker is asked
  for (let time = 0; time < 2 * WORKERS; time += 1)
    expect(await service.device.metric(STORED)).toBe(load.stored);
  const spans = await harness.db.collection('listening_spans').countDocuments();
  expect(spans).toBeGreaterThanOrEqual(WORKERS);
});

it('is not ready while one worker is not, and is when it goes on', async () => {
  const [one] = await service.device.children();
  expect(await service.device.readiness()).toBe(200);
  try {
    await holdStill(one!);
    // the stopped worker may have been given the question itself: then there is no answer
    expect([503, undefined]).toContain(await service.device.readiness());
  } finally {
    process.kill(one!, 'SIGCONT');
  }
  await eventually(async () => expect(await service.device.readiness()).toBe(200));
});

it('a service whose workers cannot start says why and ends', async () => {
  const port = await freePort();
  const taken: Server = createServer((socket) => socket.destroy()).listen(port, '0.0.0.0');
  await once(taken, 'listening');
  const failing = new ServiceProcess('device-api', port, {
    MONGODB_URI: harness.database.uri,
    DEVICE_API_WORKERS: String(WORKERS),
  });
  try {
    await expect(failing.start()).rejects.toThrow(/ended at its start with 1/);
    const { code, output } = await failing.ended();
    expect(code).toBe(1);
    expect(output).toMatch(/EADDRINUSE/);
    expect(output).toMatch(/No worker could start/);
  } finally {
    taken.close();
  }
});
