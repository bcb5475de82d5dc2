import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { eventually } from '../../tools/harness/eventually.js';
import { holdStill } from '../../tools/harness/service-process.js';
import { Load } from './load.js';
import { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';

const WORKERS = 2;
const CLIENTS = 40;
/** Of each client: 40 send some 400 reports a second. */
const PAUSE_MS = 100;
const STORED = 'pillwatch_reports_total{type="heartbeat",result="stored"}';

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

it('workers share the port; health and metrics are of all of them', async () => {
  await eventually(async () => expect(await device.children()).toHaveLength(WORKERS));
  const load = new Load(device.url, tokens, PAUSE_MS);
  await eventually(() => expect(load.stored).toBeGreaterThan(2 * CLIENTS));
  await load.end();
  expect(load.failures).toEqual([]);
  expect(await logged()).toBe(load.stored);
  // whichever worker is asked
  for (let time = 0; time < 2 * WORKERS; time += 1) expect(await device.metric(STORED)).toBe(load.stored);
  const spans = await harness.db.collection('listening_spans').countDocuments();
  expect(spans).toBeGreaterThanOrEqual(WORKERS);
});

it('is not ready while one worker is not, and is when it goes on', async () => {
  const [one] = await device.children();
  expect(await device.readiness()).toBe(200);
  try {
    await holdStill(one!);
    // the stopped worker may have been given the question itself: then there is no answer
    expect([503, undefined]).toContain(await device.readiness());
  } finally {
    process.kill(one!, 'SIGCONT');
  }
  await eventually(async () => expect(await device.readiness()).toBe(200));
});

it('a service whose workers cannot start says why and ends', async () => {
  const port = await freePort();
  const taken: Server = createServer((socket) => socket.destroy()).listen(port, '0.0.0.0');
  await once(taken, 'listening');
  const service = new ServiceProcess('device-api', port, {
    MONGODB_URI: harness.database.uri,
    DEVICE_API_WORKERS: String(WORKERS),
  });
  try {
    await expect(service.start()).rejects.toThrow(/ended at its start with 1/);
    const { code, output } = await service.ended();
    expect(code).toBe(1);
    expect(output).toMatch(/EADDRINUSE/);
    expect(output).toMatch(/No worker could start/);
  } finally {
    taken.close();
  }
});
