import { SystemClock } from '#platform';
import { eventually } from '../../tools/harness/eventually.js';
import { Load } from './load.js';
import { insertOpenBottles } from './overdue.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';

const CLIENTS = 40;
const LIMIT_MS = 10_000;

let harness: FaultHarness;

beforeAll(async () => {
  harness = await FaultHarness.start();
});

afterAll(() => harness?.stop());

/** Unless LISTEN says more: 127.0.0.2 is this machine by another address. */
async function expectListensHereOnly(service: ServiceProcess): Promise<void> {
  const elsewhere = service.url.replace('127.0.0.1', '127.0.0.2');
  await expect(fetch(`${elsewhere}/health/live`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
}

it('SIGTERM under load: device-api fails no accepted request and exits 0 within 10 s', async () => {
  const [support, device] = await Promise.all([harness.run('support-api'), harness.run('device-api')]);
  await expectListensHereOnly(device);
  const bottles = await harness.register(support, CLIENTS);
  const load = new Load(
    device.url,
    bottles.map(({ token }) => token),
  );
  await eventually(() => expect(load.stored).toBeGreaterThan(5 * CLIENTS));
  const exit = await device.end('SIGTERM');
  await load.finished();

  expect(load.failures).toEqual([]);
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.ms).toBeLessThan(LIMIT_MS);
  // a connection that stays silent has not kept it: it served to the last, and lost nothing of it
  expect(await harness.db.collection('bottle_heartbeats').countDocuments()).toBe(load.stored);
});

it.each(['notifier', 'support-api'] as const)('SIGTERM: %s exits 0 within 10 s', async (name) => {
  const service: ServiceProcess = await harness.run(name);
  // an idle connection that is kept alive must not hold it
  expect(await service.readiness()).toBe(200);
  await expectListensHereOnly(service);
  const exit = await service.end('SIGTERM');
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.ms).toBeLessThan(LIMIT_MS);
});

it('SIGTERM while a receiver does not answer: the notifier exits 0 within 10 s, and the next one sends it', async () => {
  const notifier = await harness.run('notifier');
  harness.receiver.behaviour = 'hangs';
  const bottles = await insertOpenBottles(harness.db, 30, new SystemClock().now());
  await eventually(() => expect(harness.receiver.requests.length).toBeGreaterThanOrEqual(20));
  const exit = await notifier.end('SIGTERM');
  expect(exit).toMatchObject({ code: 0, signal: null });
  expect(exit.ms).toBeLessThan(LIMIT_MS);

  harness.receiver.behaviour = 'works';
  await harness.run('notifier');
  await eventually(() => expect(harness.receiver.messages).toHaveLength(bottles.length));
  const alerted = harness.receiver.messages.map(({ data }) => data.alert_id);
  expect(new Set(alerted).size).toBe(bottles.length);
});
