import { mongo } from 'mongoose';
import { loggedId } from '../../tools/harness/bottle/report.js';
import { Simulator } from '../../tools/simulator/simulator.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { eventually } from '../../tools/harness/eventually.js';
import { FaultFleet } from './fault-fleet.js';
import { missingFromLog } from '../../tools/harness/persistent-bottle.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';

const REPEATS = 5;
/** Less than between two openings of a bottle. */
const CLOCKS_DIFFER_MS = 1_000;
const SIMULATED = 15;
const WAVE = 3;
/** A notifier's lease outlives it by 30 s; then another one takes over its claims. */
const AFTER_A_LEASE_MS = 240_000;

let harness: FaultHarness;
let support: ServiceProcess;
let device: ServiceProcess;
let notifier: ServiceProcess;

beforeAll(async () => {
  harness = await FaultHarness.start({ SILENT_BOTTLE_AFTER: '6s', OPEN_BOTTLE_AFTER: '2s' });
  [support, device, notifier] = await Promise.all([
    harness.run('support-api'),
    harness.run('device-api'),
    harness.run('notifier'),
  ]);
});

afterAll(() => harness?.stop());

it('kill -9 of device-api, notifier and mongod: nothing acknowledged is lost, no alert doubled or lost', async () => {
  const acknowledged = new Set<string>();
  const add = (id: string): void => void acknowledged.add(id);
  const simulator = new Simulator({
    bottles: SIMULATED,
    speed: 3600,
    target: device.url,
    support: support.url,
    adminToken: ADMIN_TOKEN,
    onAcknowledged: (report) => add(loggedId(report)),
  });
  await simulator.start();
  const fleet = new FaultFleet(device.url, add);

  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const before = acknowledged.size;
    await fleet.add(await harness.register(support, 2 * WAVE));
    await eventually(() => expect(acknowledged.size).toBeGreaterThan(before + 2 * WAVE + SIMULATED));
    await device.killAndRestart();
    await (repeat % 2 === 0 ? killWhileDelivering(fleet) : killWhileRecording());
    await killDatabase();
  }
  await simulator.stop();
  await eventually(() => expectNotifiedOnce(fleet), AFTER_A_LEASE_MS, 500);
  await fleet.stop();

  expect(acknowledged.size).toBeGreaterThan(40 * REPEATS);
  expect(await missingFromLog(harness.db, acknowledged)).toEqual([]);
  await expectNoneDoubled();
  expectEachReceivedOnce();
});

/**
 * The receiver has accepted a message, and the notifier dies before the answer. The message is about a bottle whose
 * alert stays open, so that it is sent again: a simulated bottle may report meanwhile, which cancels the repeat.
 */
async function killWhileDelivering(fleet: FaultFleet): Promise<void> {
  harness.receiver.behaviour = 'hangs';
  const before = harness.receiver.requests.length;
  const stays = new Set([...fleet.open, ...fleet.silent].map(({ id }) => id));
  const unanswered = (): boolean =>
    harness.receiver.requests.slice(before).some(({ data }) => stays.has(data.bottle_id));
  await eventually(() => expect(unanswered()).toBe(true), 120_000, 1);
  await notifier.end('SIGKILL');
  harness.receiver.behaviour = 'works';
  await notifier.start();
}

/** An alert is in the database, and the notifier dies before or while it does the rest. */
async function killWhileRecording(): Promise<void> {
  const alerts = harness.db.collection('alerts');
  const before = await alerts.countDocuments();
  await eventually(async () => expect(await alerts.countDocuments()).toBeGreaterThan(before), 120_000, 1);
  await notifier.killAndRestart();
}

async function killDatabase(): Promise<void> {
  const { pid } = harness.database;
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(harness.database.pid).not.toBe(pid));
  for (const service of [device, support])
    await eventually(async () => expect(await service.readiness()).toBe(200));
}

/** No alert is lost: by our own records, and by what the receiver got. */
async function expectNotifiedOnce(fleet: FaultFleet): Promise<void> {
  expect(
    await harness.db.collection('deliveries').countDocuments({ next_attempt_at: { $exists: true } }),
  ).toBe(0);
  for (const { id, openedAt } of fleet.open) {
    expect(harness.receiver.received(id).filter((line) => line.startsWith('bottle_open'))).toEqual([
      'bottle_open raised',
    ]);
    const alerts = await harness.db
      .collection('alerts')
      .find({ bottle_id: new mongo.ObjectId(id), kind: 'bottle_open' })
      .toArray();
    expect(alerts).toMatchObject([{ open: true }]);
    // the bottle's clock may be some milliseconds ahead of the database's: then it was opened when the report came
    const ahead = openedAt!.getTime() - (alerts[0]!['evidence'].opened_at as Date).getTime();
    expect(ahead).toBeGreaterThanOrEqual(0);
    expect(ahead).toBeLessThan(CLOCKS_DIFFER_MS);
  }
  for (const { id } of fleet.silent) {
    const alerts = await harness.db
      .collection('alerts')
      .find({ bottle_id: new mongo.ObjectId(id) })
      .toArray();
    expect(alerts).toMatchObject([{ kind: 'bottle_silent', open: true }]);
    expect(harness.receiver.received(id)).toEqual(['bottle_silent raised']);
  }
  // the simulated bottles are quiet now, too
  const states = harness.db.collection('bottle_states');
  expect(await states.countDocuments({ silent: true, silent_at: { $exists: false } })).toBe(
    fleet.silent.length + SIMULATED,
  );
  expect(await harness.db.collection('alerts').countDocuments({ kind: 'bottle_silent', open: true })).toBe(
    fleet.silent.length + SIMULATED,
  );
}

/** One alert for a bottle, kind and cause. */
async function expectNoneDoubled(): Promise<void> {
  const cause = {
    $ifNull: ['$evidence.opened_at', '$evidence.scheduled_at', '$evidence.last_heard_at', '$deadline'],
  };
  const groups = await harness.db
    .collection('alerts')
    .aggregate([{ $group: { _id: { bottle: '$bottle_id', kind: '$kind', cause }, count: { $sum: 1 } } }])
    .toArray();
  expect(groups.length).toBeGreaterThan(2 * REPEATS * WAVE);
  expect(groups.filter(({ count }) => count !== 1)).toEqual([]);
}

/** A receiver that drops repeated ids gets each message once, and the kills did cause repeats. */
function expectEachReceivedOnce(): void {
  const received = harness.receiver.messages.map(({ type, data }) => `${type} of ${data.alert_id}`);
  expect(received.filter((line, index) => received.indexOf(line) !== index)).toEqual([]);
  expect(harness.receiver.requests.length).toBeGreaterThan(harness.receiver.messages.length);
}
