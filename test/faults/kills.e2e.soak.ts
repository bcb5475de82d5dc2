import { heartbeatId, actionId } from '#domain';
import { mongo } from 'mongoose';
import type { AcknowledgedReport } from '../../tools/simulator/bottle/report.js';
import { Simulator } from '../../tools/simulator/simulator.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { eventually } from '../../tools/harness/eventually.js';
import { soakOr } from '../support/in-soak.js';
import { Cast } from './cast.js';
import { missingFromLog } from '../../tools/harness/persistent-bottle.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { Stage } from './stage.js';

const ROUNDS = soakOr(5, 1);
const SIMULATED = 15;
const WAVE = 3;
/** A notifier's lease outlives it by 30 s; then the next one takes over what it had in hand. */
const AFTER_A_LEASE_MS = 240_000;

let stage: Stage;
let support: ServiceProcess;
let device: ServiceProcess;
let notifier: ServiceProcess;

beforeAll(async () => {
  stage = await Stage.start({ SILENT_BOTTLE_AFTER: '6s', OPEN_BOTTLE_AFTER: '2s' });
  [support, device, notifier] = await Promise.all([
    stage.run('support-api'),
    stage.run('device-api'),
    stage.run('notifier'),
  ]);
});

afterAll(() => stage?.stop());

it('kill -9 of device-api, notifier and mongod: nothing acknowledged is lost, no alert doubled or lost', async () => {
  const acknowledged = new Set<string>();
  const add = (id: string): void => void acknowledged.add(id);
  const simulator = new Simulator({
    bottles: SIMULATED,
    speed: 3600,
    target: device.url,
    support: support.url,
    adminToken: ADMIN_TOKEN,
    onAcknowledged: (report) => add(idOf(report)),
  });
  await simulator.start();
  const cast = new Cast(device.url, add);

  for (let round = 0; round < ROUNDS; round += 1) {
    const before = acknowledged.size;
    await cast.enter(await stage.register(support, 2 * WAVE));
    await eventually(() => expect(acknowledged.size).toBeGreaterThan(before + 2 * WAVE + SIMULATED));
    await device.killAndRestart();
    await (round % 2 === 0 ? killWhileDelivering() : killWhileRecording());
    await killDatabase();
  }
  await simulator.stop();
  await eventually(() => expectToldOnce(cast), AFTER_A_LEASE_MS, 500);
  await cast.leave();

  expect(acknowledged.size).toBeGreaterThan(40 * ROUNDS);
  expect(await missingFromLog(stage.db, acknowledged)).toEqual([]);
  await expectNoneDoubled();
  expectEachHeardOnce();
});

/** The receiver has taken a message, and the notifier dies before it hears so. */
async function killWhileDelivering(): Promise<void> {
  stage.receiver.behaviour = 'hangs';
  const before = stage.receiver.requests.length;
  await eventually(() => expect(stage.receiver.requests.length).toBeGreaterThan(before), 120_000, 1);
  await notifier.end('SIGKILL');
  stage.receiver.behaviour = 'works';
  await notifier.start();
}

/** An alert is in the database, and the notifier dies before or while it does the rest. */
async function killWhileRecording(): Promise<void> {
  const alerts = stage.db.collection('alerts');
  const before = await alerts.countDocuments();
  await eventually(async () => expect(await alerts.countDocuments()).toBeGreaterThan(before), 120_000, 1);
  await notifier.killAndRestart();
}

async function killDatabase(): Promise<void> {
  const { pid } = stage.database;
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(stage.database.pid).not.toBe(pid));
  for (const service of [device, support])
    await eventually(async () => expect(await service.readiness()).toBe(200));
}

/** The id that the log must hold for an acknowledged report. */
function idOf({ bottle_id, type, id, event_id, time }: AcknowledgedReport): string {
  const at = new Date(time);
  if (type === 'heartbeat') return heartbeatId(bottle_id, at, at);
  const named = actionId(bottle_id, {
    action: 'opened',
    time: at,
    mass_of_contents: 0,
    number_of_pills: 0,
    event_id: event_id!,
  });
  if (id !== undefined && id !== named) throw new Error('acknowledged under another id');
  return named;
}

/** None lost: by what we know ourselves, and by what the receiver heard. */
async function expectToldOnce(cast: Cast): Promise<void> {
  expect(await stage.db.collection('deliveries').countDocuments({ next_attempt_at: { $exists: true } })).toBe(
    0,
  );
  for (const { id, openedAt } of cast.open) {
    expect(stage.receiver.heard(id).filter((line) => line.startsWith('bottle_open'))).toEqual([
      'bottle_open raised',
    ]);
    const alerts = await stage.db
      .collection('alerts')
      .find({ bottle_id: new mongo.ObjectId(id), kind: 'bottle_open' })
      .toArray();
    expect(alerts).toMatchObject([{ open: true, evidence: { opened_at: openedAt } }]);
  }
  for (const { id } of cast.silent) {
    const alerts = await stage.db
      .collection('alerts')
      .find({ bottle_id: new mongo.ObjectId(id) })
      .toArray();
    expect(alerts).toMatchObject([{ kind: 'bottle_silent', open: true }]);
    expect(stage.receiver.heard(id)).toEqual(['bottle_silent raised']);
  }
  // the simulated bottles are quiet now, too
  const states = stage.db.collection('bottle_states');
  expect(await states.countDocuments({ silent: true, silent_at: { $exists: false } })).toBe(
    cast.silent.length + SIMULATED,
  );
  expect(await stage.db.collection('alerts').countDocuments({ kind: 'bottle_silent', open: true })).toBe(
    cast.silent.length + SIMULATED,
  );
}

/** One alert for a bottle, kind and cause. */
async function expectNoneDoubled(): Promise<void> {
  const cause = {
    $ifNull: ['$evidence.opened_at', '$evidence.scheduled_at', '$evidence.last_heard_at', '$deadline'],
  };
  const groups = await stage.db
    .collection('alerts')
    .aggregate([{ $group: { _id: { bottle: '$bottle_id', kind: '$kind', cause }, count: { $sum: 1 } } }])
    .toArray();
  expect(groups.length).toBeGreaterThan(2 * ROUNDS * WAVE);
  expect(groups.filter(({ count }) => count !== 1)).toEqual([]);
}

/** A receiver that drops repeated ids heard each thing said once, and the kills did make us repeat. */
function expectEachHeardOnce(): void {
  const said = stage.receiver.messages.map(({ type, data }) => `${type} of ${data.alert_id}`);
  expect(said.filter((line, index) => said.indexOf(line) !== index)).toEqual([]);
  expect(stage.receiver.requests.length).toBeGreaterThan(stage.receiver.messages.length);
}
