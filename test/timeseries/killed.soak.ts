import { heartbeatId } from '#domain';
import { ManualClock } from '#platform';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ChartUpkeep } from '../../apps/notifier/src/charts/chart-upkeep.js';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { ServiceProcess } from '../../tools/harness/service-process.js';
import { testDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { asAdmin, startNotifier, startSupportApi } from '../../tools/harness/services.js';

const MAIN = join(import.meta.dirname, '../../dist/apps/admin/src/main.js');
const MINUTE = 60_000;
const REPORTS = 20;

let database: TestDatabase;
let token: string;

/** `npm run timeseries`, as compiled; its exit code and what it said. */
function timeseries(task: 'verify' | 'rebuild'): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], MONGODB_URI: database.uri }, timeout: 150_000 };
    execFile(process.execPath, [MAIN, 'timeseries', task], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    );
  });
}

/** Reports to a process that is killed as soon as it has answered: some of them are in the log and in no bucket. */
async function loseSome(): Promise<void> {
  const device = new ServiceProcess('device-api', await freePort(), {
    MONGODB_URI: database.uri,
    DEVICE_RATE_LIMIT: 'off',
  });
  const counted = await openings();
  await device.start();
  const send = (_: unknown, index: number): Promise<Response> =>
    fetch(`${device.url}/v1/actions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        action: 'opened',
        time: new Date().toISOString(),
        mass_of_contents: 40,
        number_of_pills: 20,
        event_id: heartbeatId('0'.repeat(24), new Date(), new Date(index)),
      }),
    });
  const answers = await Promise.all(Array.from({ length: REPORTS }, send));
  await device.end('SIGKILL');
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  // they are counted once a second: a count that came in between is no loss, and it is tried again
  if ((await openings()) - counted >= REPORTS) await loseSome();
}

/** What the minutes counted. */
async function openings(): Promise<number> {
  const found = await database.db.listCollections({ name: /^ts_1m_/ }).toArray();
  const sums = await Promise.all(
    found.map(({ name }) => database.db.collection<{ sums?: { opened?: number } }>(name).find().toArray()),
  );
  return sums.flat().reduce((sum, document) => sum + (document.sums?.opened ?? 0), 0);
}

beforeEach(async () => {
  database = await testDatabase('killed');
  const support = await startSupportApi(database.uri);
  const { body } = await asAdmin(support)
    .post('/v1/bottles')
    .send({ user_id: 'willcross1024', medication: 'Cordrazine', time_zone: 'Europe/Berlin' })
    .expect(201);
  token = (body as { token: string }).token;
  await support.close();
});
afterEach(() => database.drop());

it('what a killed device-api had not counted is found by verify and mended by rebuild', async () => {
  expect(await timeseries('verify')).toMatchObject({ code: 0 });
  await loseSome();
  // what has just come may be on its way to the counts
  await eventually(async () => {
    const { code, said } = await timeseries('verify');
    expect(code).toBe(1);
    expect(said).toMatch(/^1m .* reports opened +\d+ +20$/m);
    expect(said).toMatch(/^1d .* reports opened +\d+ +20$/m);
  });
  expect(await timeseries('rebuild')).toMatchObject({
    code: 0,
    said: expect.stringContaining('made from the logs'),
  });
  expect(await openings()).toBe(await database.db.collection('bottle_actions').countDocuments());
  expect(await timeseries('verify')).toMatchObject({ code: 0 });
});

it('the hourly reconcile of a notifier mends it unasked', async () => {
  await loseSome();
  const logged = await database.db.collection('bottle_actions').countDocuments();
  expect(await openings()).toBeLessThan(logged);
  const clock = new ManualClock(new Date(Date.now() + 5 * MINUTE));
  const notifier = await startNotifier(database.uri, clock);
  const charts = notifier.app.get(ChartUpkeep);
  await charts.reconcile();
  clock.advance(2 * MINUTE);
  await charts.rollUp();
  expect(await openings()).toBe(logged);
  await notifier.app.close();
  expect(await timeseries('verify')).toMatchObject({ code: 0 });
});
