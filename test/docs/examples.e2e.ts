/* oxlint-disable no-console -- the counts of the documentation's blocks */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { existsSync, readFileSync } from 'node:fs';
import supertest from 'supertest';
import { readCommandLine } from '../../apps/admin/src/command-line.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { ADMIN_TOKEN, startDeviceApi, startSupportApi } from '../../tools/harness/services.js';
import { type Block, blocksOf, commandsOf, DOCUMENTS } from './blocks.js';
import { documentedCommands, elsewhere, unused } from './commands.js';

/** Run by other tests. */
const RUN_ELSEWHERE: Record<string, string> = {
  c: 'test/clients/documented.soak.ts',
  python: 'test/notifier/webhook.cases.ts',
  js: 'test/notifier/webhook.cases.ts',
};

/** Neither JSON nor a command. */
const SHOWN: Record<string, string> = {
  text: 'shows what a service sends',
  '': 'a header, or lines for a file of settings',
};

/** What stands for the reader's own in a command. */
const EXAMPLES: Record<string, string> = {
  ADDRESS: 'carol@example.org',
  'PLACE:HASH': `8412:${'x'.repeat(43)}`,
};

/** Where a block in this language runs, or why it does not. */
function runBy(language: string): string | undefined {
  if (language === 'json') return 'sent to the services, or compared with what they send';
  if (language === 'sh' || language === 'bash') return 'commands: test/docs/commands.soak.ts counts them';
  const [test, why] = [RUN_ELSEWHERE[language], SHOWN[language]];
  return test === undefined ? why && `not run: ${why}` : `${language}: ${test}`;
}

const BLOCKS = DOCUMENTS.flatMap(blocksOf);
const JSON_BLOCKS = BLOCKS.filter(({ language }) => language === 'json');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

describe('the examples of the documentation', () => {
  let database: TestDatabase;
  let device: NestFastifyApplication;
  let support: NestFastifyApplication;

  beforeAll(async () => {
    database = await newDatabase('examples');
    support = await startSupportApi(database.uri);
    device = await startDeviceApi(database.uri);
  });

  afterAll(async () => {
    await Promise.all([device?.close(), support?.close()]);
    await database?.drop();
  });

  const asStaff = (method: string, path: string, body: object): supertest.Test => {
    const client = supertest(support.getHttpServer());
    const request = method === 'put' ? client.put(path) : client.post(path);
    return request.set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body);
  };

  const registered = async (): Promise<{ bottle_id: string; token: string }> => {
    const body = { user_id: 'willcross1024', medication: 'Cordrazine', time_zone: 'Europe/Berlin' };
    const answer = await asStaff('post', '/v1/bottles', body).expect(201);
    return answer.body as { bottle_id: string; token: string };
  };

  const report = (path: string, token: string, body: object): supertest.Test =>
    supertest(device.getHttpServer()).post(path).set('authorization', `Bearer ${token}`).send(body);

  /** A time in an example is of the day when it was written: devices report within a year. */
  const ofToday = (text: string): string =>
    text.replaceAll(/2026-03-01T/g, `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T`);

  /** A gateway with the bottles that the example names. */
  async function gatewayOf(example: string): Promise<{ token: string; body: object }> {
    const made = await asStaff('post', '/v1/gateways', { name: 'hub' }).expect(201);
    const { id: gateway, token } = made.body as { id: string; token: string };
    let text = example;
    for (const named of new Set(example.match(/[0-9a-f]{24}/g))) {
      const { bottle_id } = await registered();
      await asStaff('post', `/v1/gateways/${gateway}/assign`, { bottle_ids: [bottle_id] }).expect(200);
      text = text.replaceAll(named, bottle_id);
    }
    return { token, body: JSON.parse(text) as object };
  }

  /** Sends what an example shows, as its fence says. @returns the status and body of the answer */
  async function send({ about, text, where }: Block): Promise<supertest.Response> {
    const [, method = '', path = ''] = /^(POST|PUT) (\/v1\/\S+)$/.exec(about) ?? [];
    const body = JSON.parse(ofToday(text)) as object;
    const { bottle_id, token } = await registered();
    if (path === '/v1/gateway/batch') {
      const gateway = await gatewayOf(ofToday(text));
      return report(path, gateway.token, gateway.body);
    }
    if (path === '/v1/actions' || path === '/v1/batch') return report(path, token, body);
    if (method !== '')
      return asStaff(
        method.toLowerCase(),
        path.replace(':id', bottle_id).replace(':user_id', 'willcross1024'),
        body,
      );
    throw new Error(`${where}: the fence of this block does not say what it is for`);
  }

  it.each(JSON_BLOCKS.filter(({ about }) => /^P(OST|UT) /.test(about)))(
    'are taken as written: $where $about',
    async (block) => {
      const answer = await send(block);
      const { results = [] } = answer.body as { results?: { status: number }[] };
      const refused =
        answer.status >= 300 ? [answer.body as object] : results.filter(({ status }) => status >= 300);
      expect(refused).toEqual([]);
    },
  );

  it.each(JSON_BLOCKS.filter(({ about }) => about.startsWith('problem ')))(
    'look like the answer: $where',
    async ({ text }) => {
      const shown = JSON.parse(text) as Record<string, unknown>;
      const { token } = await registered();
      const action = { action: 'closed', time: '2026-03-01T08:00:21Z' };
      const answer = await report('/v1/actions', token, { ...action, [String(shown['field'])]: undefined });
      const { instance } = shown;
      expect({ ...(answer.body as object), instance }).toEqual(shown);
    },
  );

  it.each(JSON_BLOCKS.filter(({ about }) => about.startsWith('webhook ')))(
    'are what the OpenAPI document describes: $where $about',
    ({ about, text }) => {
      const document = JSON.parse(readFileSync('docs/openapi/support-api.json', 'utf8')) as {
        webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>;
      };
      const { schema } =
        document.webhooks[about.slice('webhook '.length)]!.post.requestBody.content['application/json']!;
      const validate = new Ajv2020({ formats: { 'date-time': true, uri: true } }).compile(schema);
      validate(JSON.parse(text));
      expect(validate.errors ?? []).toEqual([]);
    },
  );

  it('each say what they are for', () => {
    const silent = JSON_BLOCKS.filter(({ about }) => !/^(P(OST|UT) \/|webhook |problem )/.test(about));
    expect(silent.map(({ where }) => where)).toEqual([]);
    const others = BLOCKS.filter(({ language }) => runBy(language) === undefined);
    expect(others.map(({ where, language }) => `${where} ${language}`)).toEqual([]);
  });

  it('are counted', () => {
    console.log(`blocks: ${BLOCKS.length}`);
    const by = BLOCKS.map(({ language }) => runBy(language)!);
    for (const each of new Set(by)) console.log(`  ${by.filter((one) => one === each).length}: ${each}`);
    const shown = BLOCKS.filter(({ language }) => language in SHOWN);
    expect(BLOCKS.length - shown.length).toBeGreaterThan(shown.length);
  });

  it('of two ends of a time differ', () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi/support-api.json', 'utf8')) as {
      paths: Record<
        string,
        Record<string, { parameters?: { name: string; schema: { example?: unknown } }[] }>
      >;
    };
    const same = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters = [] }) => {
        const [from, to] = ['from', 'to'].map((name) => parameters.find((one) => one.name === name)?.schema);
        return from && to && (from.example ?? to.example) === to.example ? [path] : [];
      }),
    );
    expect(same).toEqual([]);
  });

  it('name commands that exist, with arguments that they take', () => {
    const wrong = DOCUMENTS.flatMap(commandsOf).flatMap(({ where, call: [first, script, ...args] }) => {
      const name = first === 'run' ? script! : first!;
      if (!(name in scripts)) return [`${where}: there is no npm script ${name}`];
      // without its arguments a command is only named
      const [, command, ...options] = args;
      if (name !== 'admin' || command === undefined || options.length === 0) return [];
      try {
        readCommandLine([command, ...options.map((option) => EXAMPLES[option] ?? option)]);
        return [];
      } catch (error) {
        return [`${where}: ${args.join(' ')}: ${String(error)}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it('are commands that run here or elsewhere, or say why not', () => {
    expect(unused(documentedCommands())).toEqual([]);
    const tests = documentedCommands().flatMap((command) => {
      const other = elsewhere(command);
      return other && 'test' in other ? other.test : [];
    });
    expect(tests.filter((file) => !existsSync(file))).toEqual([]);
  });
});
