import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { OtlpReceiver } from './otlp-receiver.js';

const ANY_PORT = { DEVICE_API_PORT: '0', SUPPORT_API_PORT: '0', NOTIFIER_PORT: '0' };
const TIMEOUT = 120_000;

let database: TestDatabase;
let receiver: OtlpReceiver;
let folder: string;
let started: ChildProcess;
let output = '';

beforeAll(async () => {
  database = await newDatabase('npm_start');
  receiver = await OtlpReceiver.start();
  folder = await mkdtemp(join(tmpdir(), 'pillwatch-npm-start-'));
  const settings = { MONGODB_URI: database.uri, DATA_DIR: folder, ADMIN_TOKEN, ...ANY_PORT };
  started = spawn(process.execPath, ['dist/apps/standalone/src/main.js'], {
    env: { ...settings, ...receiver.settings, SILENT_BOTTLES_AFTER: 'a-value-that-is-shown-nowhere' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [started.stdout!, started.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => {
    if (!output.includes('  Try:')) throw new Error(`npm start is not ready:\n${output}`);
  }, TIMEOUT);
}, TIMEOUT);

afterAll(async () => {
  if (started?.exitCode === null) {
    started.kill('SIGTERM');
    await once(started, 'exit');
  }
  receiver?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const addressOf = (service: string): string => new RegExp(`^  ${service} +(http\\S+)`, 'm').exec(output)![1]!;

it('npm start sends the spans of its services to OTEL_EXPORTER_OTLP_ENDPOINT, as docs/settings.md says', async () => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  await fetch(`${addressOf('support-api')}/v1/fleet`, { headers });
  await fetch(`${addressOf('device-api')}/v1/heartbeats`, { method: 'POST', headers });
  await eventually(() => {
    const sent = receiver.spans.map(({ service, name }) => `${service}: ${name}`);
    expect(sent).toContain('pillwatch: GET /v1/fleet');
    expect(sent).toContain('pillwatch: POST /v1/heartbeats');
  });
});

it('npm start shows staff the address that its links have', async () => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const answer = await fetch(`${addressOf('support-api')}/v1/settings`, { headers });
  const { settings } = (await answer.json()) as { settings: object[] };
  expect(settings).toContainEqual({ name: 'PUBLIC_URL', value: addressOf('support-api') });
});

it('a start names an unknown setting once, with the setting that was meant, and not its value', () => {
  expect(output.split('SILENT_BOTTLES_AFTER')).toHaveLength(2);
  expect(output).toContain('SILENT_BOTTLES_AFTER, so it has no effect: did you mean SILENT_BOTTLE_AFTER?');
  expect(output).not.toContain('a-value-that-is-shown-nowhere');
});

it(
  'npm start says once that nobody takes its spans, and why, and goes on',
  async () => {
    receiver.stop();
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const read = async () => (await fetch(`${addressOf('support-api')}/v1/fleet`, { headers })).status;
    await eventually(async () => {
      expect(await read()).toBe(200);
      expect(output).toMatch(/spans were lost; .* ECONNREFUSED/);
    }, TIMEOUT);
    for (let more = 0; more < 3; more += 1) expect(await read()).toBe(200);
    expect(output.split('spans were lost')).toHaveLength(2);
  },
  TIMEOUT,
);
