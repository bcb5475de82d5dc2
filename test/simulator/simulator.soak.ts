import { actionId, heartbeatId } from '#domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mongo } from 'mongoose';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AcknowledgedReport } from '../../tools/harness/bottle/report.js';
import { AckLog } from '../../tools/simulator/cli/ack-log.js';
import { Simulator } from '../../tools/simulator/simulator.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { ADMIN_TOKEN, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';

const BOTTLES = 20;
const TIMEOUT = 600_000;

let database: TestDatabase;
let support: NestFastifyApplication;
let device: NestFastifyApplication;
let folder: string;

beforeAll(async () => {
  database = await newDatabase('simulator');
  support = await startSupportApi(database.uri);
  await support.listen(0, '127.0.0.1');
  folder = await mkdtemp(join(tmpdir(), 'pillwatch-simulator-'));
}, TIMEOUT);

afterAll(async () => {
  await support.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, TIMEOUT);

afterEach(() => device.close());

const portOf = (app: NestFastifyApplication): number => (app.getHttpServer().address() as AddressInfo).port;
const addressOf = (app: NestFastifyApplication): string => `http://127.0.0.1:${portOf(app)}`;

async function listenToDevices(port = 0, env: Record<string, string> = {}): Promise<void> {
  device = await startDeviceApi(database.uri, undefined, env);
  await device.listen(port, '127.0.0.1');
}

/** An hour of the fleet lasts a second: two heartbeats, and someone looks into the bottle every four seconds. */
function simulate(seed: string, onAcknowledged: (report: AcknowledgedReport) => void): Simulator {
  return new Simulator({
    bottles: BOTTLES,
    speed: 3600,
    target: addressOf(device),
    support: addressOf(support),
    adminToken: ADMIN_TOKEN,
    seed,
    drainMs: 120_000,
    onAcknowledged,
  });
}

/** The ids in both logs of everything that these bottles have sent. */
async function logged(bottles: Iterable<string>): Promise<Set<string>> {
  const filter = { bottle_id: { $in: [...bottles].map((id) => new mongo.ObjectId(id)) } };
  const found = await Promise.all(
    ['bottle_actions', 'bottle_heartbeats'].map((name) =>
      database.db
        .collection(name)
        .find(filter, { projection: { _id: 1 } })
        .toArray(),
    ),
  );
  return new Set(found.flat().map(({ _id }) => _id.toHexString()));
}

/** The id that the log must hold for an acknowledged report. */
function idOf({ bottle_id, type, event_id, time }: AcknowledgedReport): string {
  const at = new Date(time);
  if (type === 'heartbeat') return heartbeatId(bottle_id, at, at);
  return actionId(bottle_id, {
    action: 'opened',
    time: at,
    mass_of_contents: 0,
    number_of_pills: 0,
    event_id: event_id!,
  });
}

function expectAllLogged(acks: AcknowledgedReport[], log: Set<string>): void {
  const ids = new Set(acks.map(idOf));
  expect([...ids].filter((id) => !log.has(id))).toEqual([]);
  // nothing waits at the end, so there is nothing either that was stored and not acknowledged
  expect(log.size).toBe(ids.size);
  for (const ack of acks.filter(({ type }) => type === 'action')) expect(ack.id).toBe(idOf(ack));
}

it(
  'every acknowledged report is in the log once, and in the file',
  async () => {
    await listenToDevices();
    const file = join(folder, 'acks.jsonl');
    const fileLog = new AckLog(file);
    const acks: AcknowledgedReport[] = [];
    const simulator = simulate('all is well', (report) => {
      acks.push(report);
      fileLog.add(report);
    });
    await simulator.start();
    expect(simulator.stats().bottles).toBe(BOTTLES);
    const sent = (type: AcknowledgedReport['type']): number => acks.filter((ack) => ack.type === type).length;
    await eventually(() => {
      expect(sent('heartbeat')).toBeGreaterThan(5 * BOTTLES);
      expect(sent('action')).toBeGreaterThan(BOTTLES / 2);
    });
    const summary = await simulator.stop();
    await fileLog.close();

    expect(summary).toMatchObject({
      bottles: BOTTLES,
      refused: 0,
      backlog: 0,
      offline: 0,
      acknowledged: acks.length,
    });
    expect(summary.duplicates).toBe(acks.filter(({ status }) => status === 200).length);
    expectAllLogged(acks, await logged(acks.map(({ bottle_id }) => bottle_id)));
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as AcknowledgedReport)).toEqual(acks);
  },
  TIMEOUT,
);

it(
  'no bottle gives a report up while device-api is away or refuses too many',
  async () => {
    await listenToDevices(0, { DEVICE_RATE_LIMIT: '6/s' });
    const port = portOf(device);
    const acks: AcknowledgedReport[] = [];
    const simulator = simulate('a bad day', (report) => acks.push(report));
    await simulator.start();
    await eventually(() => expect(acks.length).toBeGreaterThan(BOTTLES));
    await device.close();
    await eventually(() => {
      const { errors, backlog } = simulator.stats();
      expect(errors['ECONNREFUSED']).toBeGreaterThan(0);
      expect(backlog).toBeGreaterThan(BOTTLES);
    });
    await listenToDevices(port, { DEVICE_RATE_LIMIT: '1/s' });
    // a slow machine takes long until a bottle sends twice within a second
    await eventually(() => expect(simulator.stats().errors['rate_limited']).toBeGreaterThan(0), 240_000);
    const summary = await simulator.stop();

    expect(summary).toMatchObject({ refused: 0, backlog: 0 });
    expect(summary.errors['rate_limited']).toBeGreaterThan(0);
    expectAllLogged(acks, await logged(acks.map(({ bottle_id }) => bottle_id)));
  },
  TIMEOUT,
);
