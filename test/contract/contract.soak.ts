import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Types } from 'mongoose';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Target, trySchema } from '../../tools/contract/schemathesis.js';
import { command, nodeTools, pythonTools } from '../../tools/contract/toolbox.js';
import { Devices } from '../device-api/devices.js';
import { insertAlerts, insertDeliveries } from '../support-api/fixtures.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { Support } from '../support-api/support.js';

/** Requests in all; `CONTRACT_CASES=50000` is the long run. */
const CASES = Number(process.env['CONTRACT_CASES'] ?? 3_000);
/** What the examples and the values at the limits of each field come to, however few are asked for. */
const AT_LEAST = 16_000;
/** What a case may take on a slow machine. */
const MS_A_CASE = 120;
/** device-api has four routes. */
const SHARES = { staff: 0.7, bottle: 0.2, gateway: 0.1 };

type Counts = Record<string, number>;

const SOMEBODY = {
  name: 'Nyota Uhura',
  email: 'uhura@example.org',
  role: 'viewer',
  password: 'seven quiet lanterns 42',
};
const SCHEDULE = { kind: 'times_of_day', times: ['08:00', '20:00'] };

describe('the served contract', () => {
  let support: Support;
  let devices: Devices;
  let bin: string;
  let node: string;
  let folder: string;
  let staff: Target;
  let bottle: Target;
  let gateway: Target;
  const answers = { staff: {} as Counts, devices: {} as Counts };

  beforeAll(async () => {
    [bin, node] = [await pythonTools(), await nodeTools()];
    folder = await mkdtemp(join(tmpdir(), 'contract-'));
    support = await Support.start('contract');
    await support.app.listen(0, '127.0.0.1');
    const bottles: string[] = [];
    for (let made = 0; made < 60; made += 1)
      bottles.push((await support.register({ number_of_pills: 30, schedule: SCHEDULE })).id);
    const about = bottles.map((id) => ({ bottle_id: new Types.ObjectId(id) }));
    const user = 'a-patient';
    await support.call('put', `/v1/contacts/${user}`, { webhook: true });
    const ids = {
      bottles,
      contacts: [user],
      gateways: [(await support.post('/v1/gateways', { name: 'a hub' })).body.id],
      staff: [(await support.post('/v1/staff', SOMEBODY)).body.id],
      alerts: await insertAlerts(support, about),
      deliveries: await insertDeliveries(support, [...about, { status: 'dead' }]),
    };
    countAnswers(support.app, answers.staff);
    staff = { url: urlOf(support.app), token: ADMIN_TOKEN, ids };
    devices = await Devices.start('contract-devices');
    const registered = await devices.register();
    const url = urlOf(devices.app);
    countAnswers(devices.app, answers.devices);
    bottle = { url, token: registered.token, ids: {}, paths: '^/v1/(heartbeats|actions|batch)$' };
    const { token } = await devices.gateway(registered);
    gateway = { url, token, ids: {}, paths: '^/v1/gateway/batch$' };
  });
  afterAll(async () => {
    await support?.stop();
    await devices?.stop();
  });

  it.each(['support-api', 'device-api'])(
    '%s: openapi-spec-validator and redocly find no fault',
    async (name) => {
      const file = await documentOf(name);
      expect(await command(join(bin, 'openapi-spec-validator'), [file])).toMatchObject({ code: 0 });
      const lint = ['lint', '--extends=recommended', '--format=stylish', file];
      const { code, text } = await command(join(node, 'node_modules/.bin/redocly'), lint, { cwd: folder });
      expect({ code, warnings: / warning /.test(text), text: code === 0 ? '' : text }).toEqual({
        code: 0,
        warnings: false,
        text: '',
      });
    },
  );

  it(
    `schemathesis finds no 5xx and no violation in ${CASES} requests`,
    async () => {
      const all = await Promise.all([
        trySchema(bin, staff, CASES * SHARES.staff),
        trySchema(bin, bottle, CASES * SHARES.bottle),
        trySchema(bin, gateway, CASES * SHARES.gateway),
      ]);
      const cases = all.reduce((sum, { cases }) => sum + cases, 0);
      console.log(`${cases} cases; answers by status: ${JSON.stringify([answers.staff, answers.devices])}`);
      expect(all.map(({ failures }) => failures).join('')).toBe('');
      expect(cases).toBeGreaterThanOrEqual(CASES);
      for (const counts of Object.values(answers)) {
        expect(Object.keys(counts).filter((status) => status >= '500')).toEqual([]);
        // the credential is a real one, and goes on being one
        expect(counts['401']! / sumOf(counts)).toBeLessThan(0.2);
      }
    },
    Math.max(CASES, AT_LEAST) * MS_A_CASE,
  );

  it('a client that openapi-python-client generates works', async () => {
    const file = await documentOf('support-api');
    const output = join(folder, 'python');
    const made = await command(join(bin, 'openapi-python-client'), [
      'generate',
      `--path=${file}`,
      '--meta=none',
      `--output-path=${join(output, 'pillwatch')}`,
      `--config=${resolve('tools/contract/python-client.json')}`,
    ]);
    expect(made).toMatchObject({ code: 0 });
    const used = await command(
      join(bin, 'python'),
      [resolve('tools/contract/use_client.py'), staff.url, staff.token],
      {
        env: { PYTHONPATH: output },
      },
    );
    expect(used).toEqual({ code: 0, text: 'the generated client works\n' });
  });

  it('a client by openapi-typescript and openapi-fetch works', async () => {
    const bins = join(node, 'node_modules/.bin');
    const types = join(node, 'support-api.d.ts');
    const file = await documentOf('support-api');
    expect(await command(join(bins, 'openapi-typescript'), [file, '-o', types])).toMatchObject({ code: 0 });
    const program = await readFile('tools/contract/use-client.txt', 'utf8');
    await writeFile(join(node, 'use-client.ts'), program);
    const compile = [
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      'use-client.ts',
    ];
    expect(await command(join(bins, 'tsc'), compile, { cwd: node })).toEqual({ code: 0, text: '' });
    const used = await command(process.execPath, ['use-client.js', staff.url, staff.token], { cwd: node });
    expect(used).toEqual({ code: 0, text: 'the generated client works\n' });
  });

  it('clients that hey-api and openapi-generator (typescript-fetch) write compile', async () => {
    const file = await documentOf('support-api');
    const tsc = join(node, 'node_modules/.bin/tsc');
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
    ];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    const made = await command(join(node, 'node_modules/.bin/openapi-ts'), ['-i', file, '-o', 'hey-api'], {
      cwd: node,
    });
    expect(made).toMatchObject({ code: 0 });
    const { webhooks: _, ...withoutWebhooks } = JSON.parse(await readFile(file, 'utf8')) as Record<
      string,
      unknown
    >;
    // it writes `import { type , }` for each webhook: docs/support-api.md says so
    await writeFile(join(folder, 'without-webhooks.json'), JSON.stringify(withoutWebhooks));
    const generated = await generate('typescript-fetch', 'without-webhooks.json', join(node, 'fetch'));
    expect(generated).toMatchObject({ code: 0 });
    for (const index of ['hey-api/index.ts', 'fetch/index.ts'])
      expect(await command(tsc, [...flags, ...modules, index], { cwd: node })).toEqual({ code: 0, text: '' });
  });

  it.each(['support-api', 'device-api'])('%s: a client in Java compiles', async (name) => {
    await documentOf(name);
    const output = join(folder, `java-${name}`);
    expect(await generate('java', `${name}.json`, output)).toMatchObject({ code: 0 });
    const compiled = await command('mvn', ['--quiet', '--batch-mode', 'compile'], { cwd: output });
    expect(compiled).toMatchObject({ code: 0 });
  });

  function generate(generator: string, document: string, output: string): ReturnType<typeof command> {
    const args = ['generate', '-g', generator, '-i', join(folder, document), '-o', output];
    return command(join(bin, 'openapi-generator-cli'), args);
  }

  async function documentOf(name: string): Promise<string> {
    const response = await fetch(`${name === 'support-api' ? staff.url : bottle.url}/docs/json`);
    const file = join(folder, `${name}.json`);
    await writeFile(file, await response.text());
    return file;
  }
});

/** Counts what a service answers, by status. */
function countAnswers(app: NestFastifyApplication, counts: Counts): void {
  app.getHttpServer().on('request', (_request: unknown, response: ServerResponse) => {
    response.on('finish', () => (counts[response.statusCode] = (counts[response.statusCode] ?? 0) + 1));
  });
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function urlOf(app: NestFastifyApplication): string {
  return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
}
