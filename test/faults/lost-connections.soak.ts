import { SystemClock } from '#platform';
import { eventually } from '../../tools/harness/eventually.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { FaultHarness } from './fault-harness.js';
import { insertOpenBottles } from './overdue.js';

/** A command's limit and its retry, until the last of the old connections has been closed. Milliseconds. */
const RECOVERED_MS = 60_000;
let harness: FaultHarness;
let proxy: DatabaseProxy;
let notifier: ServiceProcess;
let reporting: ServiceProcess;

beforeAll(async () => {
  harness = await FaultHarness.start();
  proxy = await DatabaseProxy.start(harness.database.uri);
  const env = { MONGODB_URI: proxy.uri };
  [notifier, reporting] = await Promise.all([harness.run('notifier', env), harness.run('device-api', env)]);
});
afterAll(async () => {
  await harness?.stop();
  await proxy?.stop();
});

const raised = (): number => harness.receiver.messages.length;

describe('established connections that lose everything, while new ones work', () => {
  it('alerts are raised and delivered again, and reports taken, without a restart', async () => {
    await insertOpenBottles(harness.db, 3, new SystemClock().now());
    await eventually(() => expect(raised()).toBe(3));
    proxy.blackhole();
    const began = performance.now();
    await insertOpenBottles(harness.db, 3, new SystemClock().now());
    await eventually(() => expect(raised()).toBe(6), 4 * RECOVERED_MS, 250);
    expect(performance.now() - began).toBeLessThan(RECOVERED_MS);
    await eventually(async () => expect(await notifier.readiness()).toBe(200));
    await eventually(async () => expect(await reporting.readiness()).toBe(200));
  });

  it('SIGTERM ends a notifier whose connections are dead', async () => {
    proxy.blackhole();
    expect(await notifier.end('SIGTERM')).toMatchObject({ code: 0 });
  });
});
