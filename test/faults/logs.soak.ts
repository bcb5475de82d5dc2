import { SystemClock } from '#platform';
import { mongo } from 'mongoose';
import { execFile } from 'node:child_process';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { eventually } from '../../tools/harness/eventually.js';
import type { ServiceProcess } from '../../tools/harness/service-process.js';
import { FaultHarness } from './fault-harness.js';
import { insertOpenBottles } from './overdue.js';

const OPERATIONS_KEY = 'an-operations-key-of-this-test-0123456789';
const WRONG_KEY = 'a-wrong-operations-key-0123456789';
const PERSON = 'ann.old@users';
const MEDICATION = 'Cordrazine forte';

let harness: FaultHarness;
let services: ServiceProcess[];
let [support, device, notifier]: ServiceProcess[] = [];

beforeAll(async () => {
  harness = await FaultHarness.start({ OPERATIONS_KEY });
  services = await Promise.all(
    (['support-api', 'device-api', 'notifier'] as const).map((name) => harness.run(name)),
  );
  [support, device, notifier] = services;
});

afterAll(() => harness?.stop());

type Line = Record<string, unknown>;

const linesOf = (service: ServiceProcess): Line[] => service.lines.map((line) => JSON.parse(line) as Line);

function register(): Promise<Response> {
  return fetch(`${support!.url}/v1/bottles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: PERSON, medication: MEDICATION, time_zone: 'Europe/Berlin' }),
  });
}

/** Waits for the line that carries the id of a request that failed. */
async function expectLogged(service: ServiceProcess, answer: Response, line: object): Promise<void> {
  const request_id = answer.headers.get('x-request-id')!;
  await eventually(() => {
    const found = linesOf(service).filter((one) => one['request_id'] === request_id);
    expect(found).toMatchObject([line]);
  });
}

it('every line is JSON with level, time and context, those of a request have its id, and none has personal data', async () => {
  const { bottle_id, token } = (await (await register()).json()) as { bottle_id: string; token: string };

  // an error of the database that quotes what it refuses
  await harness.db.collection('bottles').createIndex({ user_id: 1, medication: 1 }, { unique: true });
  const failed = await register();
  expect(failed.status).toBe(500);
  const { error_id } = (await failed.json()) as { error_id: string };
  await expectLogged(support!, failed, { level: 'error', context: 'Http', error_id });

  // a record that makes device-api fail, and one that makes a check fail
  const bottles = harness.db.collection<{ _id: mongo.ObjectId | string }>('bottles');
  const bottle = await bottles.findOneAndDelete({ _id: new mongo.ObjectId(bottle_id) });
  await bottles.insertOne({ ...bottle, _id: 'no id' });
  const report = await fetch(`${device!.url}/v1/heartbeats`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(report.status).toBe(503);
  await expectLogged(device!, report, { level: 'error', context: 'ReportWriter' });
  const [broken] = await insertOpenBottles(harness.db, 1, new SystemClock().now());
  await harness.db
    .collection<{ _id: mongo.ObjectId }>('bottle_states')
    .updateOne({ _id: broken! }, { $set: { user_id: PERSON, 'last_action.time': PERSON } });
  await eventually(() =>
    expect(linesOf(notifier!)).toContainEqual(
      expect.objectContaining({ level: 'error', message: expect.stringContaining('quarantined') }),
    ),
  );

  for (const service of services) {
    const refused = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${WRONG_KEY}` },
    });
    expect(refused.status).toBe(401);
    await expectLogged(service, refused, { level: 'warn', context: 'OperationsKey' });
  }

  await harness.stopDatabase();
  await eventually(() => {
    for (const service of [device!, notifier!])
      expect(linesOf(service)).toContainEqual(
        expect.objectContaining({ message: expect.stringMatching(/coverage gap|Mongo/) }),
      );
  });
  await harness.returnDatabase();
  await eventually(async () => {
    for (const service of services) expect(await service.readiness()).toBe(200);
  });

  for (const service of services) {
    const lines = linesOf(service);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(line).toMatchObject({
        level: expect.stringMatching(/^(info|warn|error|fatal)$/),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        context: expect.any(String),
        message: expect.any(String),
      });
    const text = service.lines.join('\n');
    for (const secret of [PERSON, MEDICATION, token, ADMIN_TOKEN, OPERATIONS_KEY, WRONG_KEY])
      expect(text).not.toContain(secret);
  }
});

describe('what ends a process is in its output without personal data', () => {
  /** Runs it until it ends. */
  const outputOf = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const options = { env: { PATH: process.env['PATH'], ...env }, timeout: 60_000 };
      execFile(process.execPath, args, options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });

  it.each([
    ['support-api', ['dist/apps/support-api/src/main.js']],
    ['the admin command', ['dist/apps/admin/src/main.js', 'migrate']],
  ])('when %s fails at its start', async (_what, args) => {
    const bottles = harness.db.collection('bottles');
    await bottles.dropIndexes();
    await bottles.insertMany([{ token_hash: PERSON }, { token_hash: PERSON }]);
    const env = { MONGODB_URI: harness.database.uri, ADMIN_TOKEN, SECOND_FACTOR: 'off', OPERATIONS_KEY };
    const { code, output } = await outputOf(args, env);
    expect(code).toBe(1);
    expect(output).toContain('duplicate key');
    expect(output).not.toContain(PERSON);
    await bottles.deleteMany({ token_hash: PERSON });
  });

  it.each([
    ['an error that nobody catches', `setTimeout(() => { throw error; })`],
    ['a rejection that nobody handles', `void Promise.reject(error)`],
    ['a rejection with an object', `void Promise.reject({ user: '${PERSON}', message: error.message })`],
  ])('when it is %s', async (_what, thrown) => {
    const script = `
      import { runProcess } from '#platform';
      await runProcess(async () => []);
      const error = Object.assign(new Error('refused "${PERSON}"'), { value: '${PERSON}' });
      ${thrown};
      setTimeout(() => undefined, 60_000);`;
    const { code, output } = await outputOf(['--input-type=module', '--eval', script]);
    expect(code).toBe(1);
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    ).toMatchObject([{ level: 'fatal', context: 'Process' }]);
    expect(output).not.toContain(PERSON);
  });
});
