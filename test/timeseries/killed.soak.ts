import { heartbeatId, MINUTE_MS } from '#domain';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { ServiceProcess } from '../../tools/harness/service-process.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, startSupportApi } from '../../tools/harness/services.js';

const MAIN = join(import.meta.dirname, '../../dist/apps/admin/src/main.js');
const KILLS = 15;
/** Between one's reports: as fast as they can, they would leave nothing to the tests beside. Milliseconds. */
const PACE = 30;
/** Its starts take long on a busy machine. */
const LIMIT = 20 * MINUTE_MS;

let database: TestDatabase;
let tokens: string[];

/** `npm run timeseries`, as compiled; its exit code and output. */
function timeseries(task: 'verify' | 'rebuild'): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], MONGODB_URI: database.uri }, timeout: 150_000 };
    execFile(process.execPath, [MAIN, 'timeseries', task], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

beforeEach(async () => {
  database = await newDatabase('killed');
  const support = await startSupportApi(database.uri);
  tokens = [];
  for (const time_zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']) {
    const { body } = await asAdmin(support)
      .post('/v1/bottles')
      .send({ user_id: 'willcross1024', medication: `Cordrazine ${time_zone}`, time_zone })
      .expect(201);
    tokens.push((body as { token: string }).token);
  }
  await support.close();
});
afterEach(() => database.drop());

/** The nth report: a heartbeat, an opening or a closing with a dose taken out; every fifth action is hours late. */
function nthReport(n: number): { path: string; token: string; body: object } {
  const token = tokens[n % tokens.length]!;
  const time = new Date(Date.now() - (n % 5 === 0 ? 7 * 60 * MINUTE_MS : 0)).toISOString();
  if (n % 4 === 0)
    return { path: '/v1/heartbeats', token, body: { sent_at: time, battery_percent: 80, rssi_dbm: -61 } };
  const event_id = heartbeatId('0'.repeat(24), new Date(), new Date(n));
  const common = { time, mass_of_contents: 40, number_of_pills: 20, event_id };
  const body =
    n % 4 === 1 ? { action: 'closed', pills_taken: 2, ...common } : { action: 'opened', ...common };
  return { path: '/v1/actions', token, body };
}

it(
  `verify finds no difference, and no rebuild is needed, after ${KILLS} kills of device-api and notifier under load`,
  async () => {
    const settings = { MONGODB_URI: database.uri, DEVICE_RATE_LIMIT: 'off' };
    const device = new ServiceProcess('device-api', await freePort(), settings);
    const notifier = new ServiceProcess('notifier', await freePort(), settings);
    await Promise.all([device.start(), notifier.start()]);
    const load = { ended: false, sent: 0, stored: 0 };
    const send = async (): Promise<void> => {
      while (!load.ended) {
        load.sent += 1;
        const { path, token, body } = nthReport(load.sent);
        const answer = await fetch(`${device.url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).catch(() => undefined);
        if (answer?.status === 201) load.stored += 1;
        await sleep(PACE);
      }
    };
    const sending = Promise.all(Array.from({ length: 8 }, send));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const one = Math.random() < 0.5 ? device : notifier;
      await sleep(Math.random() * 1_500);
      await one.end('SIGKILL');
      await one.start();
    }
    load.ended = true;
    await sending;
    const last = new Date();
    // a notifier's lease ends within a minute, and a minute is counted when it has been over for one
    await eventually(async () => {
      const progress = await database.db
        .collection<{ _id: string }>('ts_progress')
        .findOne({ _id: 'reports' });
      expect((progress as unknown as { until: Date }).until.getTime()).toBeGreaterThan(last.getTime());
    }, 5 * MINUTE_MS);
    const logged = await database.db.collection('bottle_actions').countDocuments();
    expect(logged).toBeGreaterThanOrEqual(load.stored);
    expect(logged).toBeGreaterThan(1_000);
    expect(await timeseries('verify')).toMatchObject({ code: 0 });
    const days = await database.db
      .collection<{ values: Record<string, { opened?: number; closed?: number }> }>('ts_1d')
      .find()
      .toArray();
    const counted = days
      .flatMap(({ values }) => Object.values(values))
      .reduce((sum, { opened = 0, closed = 0 }) => sum + opened + closed, 0);
    expect(counted).toBe(logged);
    expect(await database.db.collection('bottle_heartbeats').countDocuments()).toBeGreaterThan(100);
    expect(await database.db.collection('ts_taken').countDocuments()).toBeGreaterThan(3);
    await Promise.all([device.stop(), notifier.stop()]);
  },
  LIMIT,
);
