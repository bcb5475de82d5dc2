import { DatabaseStatus } from '#persistence';
import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { authenticatorCode } from '../../tools/harness/authenticator.js';
import { ADMIN_TOKEN, startSupportApi } from '../../tools/harness/services.js';
import { staffMember } from './browser.js';
import { Support } from './support.js';

describe('access', () => {
  const ID = '0'.repeat(24);
  const MESSAGE = '0'.repeat(32);

  /** Every route, with the lowest role that may use it. */
  const ROUTES = [
    ['get', '/v1/bottles', 'viewer'],
    ['get', '/v1/bottles/plans', 'viewer'],
    ['get', `/v1/bottles/${ID}`, 'viewer'],
    ['get', `/v1/bottles/${ID}/actions`, 'viewer'],
    ['get', `/v1/bottles/${ID}/heartbeats`, 'viewer'],
    ['get', `/v1/bottles/${ID}/doses`, 'viewer'],
    ['get', `/v1/bottles/${ID}/attestations`, 'viewer'],
    ['post', `/v1/bottles/${ID}/attestations`, 'support'],
    ['post', `/v1/bottles/${ID}/attestations/entry/withdraw`, 'support'],
    ['get', `/v1/bottles/${ID}/timeline`, 'viewer'],
    ['get', `/v1/bottles/${ID}/erasure`, 'viewer'],
    ['get', `/v1/bottles/${ID}/export`, 'support'],
    ['delete', '/v1/people/someone', 'admin'],
    ['get', '/v1/search?q=someone', 'viewer'],
    ['get', '/v1/people/someone', 'viewer'],
    ['get', '/v1/people/someone/doses', 'viewer'],
    ['get', '/v1/people/someone/messages', 'viewer'],
    ['get', '/v1/people/someone/report', 'viewer'],
    ['get', '/v1/people/someone/adherence', 'viewer'],
    ['get', `/v1/bottles/${ID}/adherence/days`, 'viewer'],
    ['post', `/v1/bottles/${ID}/attestations/no-dose`, 'support'],
    ['get', '/v1/fleet/adherence', 'viewer'],
    ['get', '/v1/alarm-quality', 'viewer'],
    ['post', '/v1/people/someone/notes', 'support'],
    ['delete', `/v1/people/someone/notes/${ID}`, 'support'],
    ['get', '/v1/people/someone/erasure', 'viewer'],
    ['get', '/v1/people/someone/export', 'support'],
    ['get', '/v1/alerts', 'viewer'],
    ['get', `/v1/alerts/${ID}`, 'viewer'],
    ['get', '/v1/deliveries', 'viewer'],
    ['get', '/v1/fleet', 'viewer'],
    ['get', '/v1/fleet/charts', 'viewer'],
    ['get', '/v1/fleet/heatmap', 'viewer'],
    ['get', `/v1/bottles/${ID}/charts`, 'viewer'],
    ['post', '/v1/bottles', 'support'],
    ['post', '/v1/bottles/import', 'support'],
    ['post', '/v1/bottles/import/check', 'support'],
    ['patch', `/v1/bottles/${ID}`, 'support'],
    ['post', `/v1/bottles/${ID}/token`, 'support'],
    ['post', `/v1/bottles/${ID}/retire`, 'support'],
    ['post', `/v1/bottles/${ID}/store`, 'support'],
    ['post', `/v1/bottles/${ID}/assign`, 'support'],
    ['put', `/v1/bottles/${ID}/schedule`, 'support'],
    ['delete', `/v1/bottles/${ID}/schedule`, 'support'],
    ['get', '/v1/contacts/someone/test', 'viewer'],
    ['get', '/v1/contacts/someone/plan', 'viewer'],
    ['post', '/v1/contacts/someone/test', 'support'],
    ['get', `/v1/bottles/${ID}/notes`, 'viewer'],
    ['post', `/v1/bottles/${ID}/notes`, 'support'],
    ['post', '/v1/alerts/acknowledge', 'support'],
    ['post', '/v1/alerts/snooze', 'support'],
    ['post', '/v1/alerts/assign', 'support'],
    ['post', `/v1/alerts/${ID}/assign`, 'support'],
    ['post', `/v1/alerts/${ID}/note`, 'support'],
    ['post', '/v1/alerts/close', 'support'],
    ['post', '/v1/alerts/close/preview', 'support'],
    ['post', `/v1/alerts/${ID}/confirm`, 'support'],
    ['post', `/v1/alerts/${ID}/dismiss`, 'support'],
    ['post', `/v1/alerts/${ID}/withdraw`, 'support'],
    ['get', `/v1/alerts/${ID}/incident`, 'viewer'],
    ['post', `/v1/alerts/${ID}/acknowledge`, 'support'],
    ['post', `/v1/alerts/${ID}/snooze`, 'support'],
    ['post', `/v1/alerts/${ID}/close`, 'support'],
    ['post', `/v1/bottles/${ID}/schedule/preview`, 'viewer'],
    ['post', `/v1/bottles/${ID}/move/preview`, 'viewer'],
    ['post', '/v1/bottles/schedule/preview', 'viewer'],
    ['post', `/v1/bottles/${ID}/pauses`, 'support'],
    ['delete', `/v1/bottles/${ID}/pauses`, 'support'],
    ['get', `/v1/bottles/${ID}/periods`, 'viewer'],
    ['post', `/v1/bottles/${ID}/periods`, 'support'],
    ['patch', `/v1/bottles/${ID}/periods/${ID}`, 'support'],
    ['delete', `/v1/bottles/${ID}/periods/${ID}`, 'support'],
    ['get', '/v1/people/someone/periods', 'viewer'],
    ['post', '/v1/people/someone/periods', 'support'],
    ['patch', `/v1/people/someone/periods/${ID}`, 'support'],
    ['delete', `/v1/people/someone/periods/${ID}`, 'support'],
    ['get', '/v1/fleet/coverage-gaps', 'viewer'],
    ['get', '/v1/fleet/comparison', 'viewer'],
    ['get', `/v1/bottles/${ID}/adherence`, 'viewer'],
    ['get', '/v1/contacts/someone', 'viewer'],
    ['put', '/v1/contacts/someone', 'support'],
    ['delete', '/v1/contacts/someone', 'support'],
    ['post', `/v1/deliveries/${MESSAGE}/replay`, 'support'],
    ['post', '/v1/deliveries/send-pending', 'support'],
    ['delete', `/v1/bottles/${ID}`, 'admin'],
    ['get', '/v1/webhook-endpoints', 'admin'],
    ['post', '/v1/webhook-endpoints', 'admin'],
    ['get', `/v1/webhook-endpoints/${ID}`, 'admin'],
    ['patch', `/v1/webhook-endpoints/${ID}`, 'admin'],
    ['delete', `/v1/webhook-endpoints/${ID}`, 'admin'],
    ['post', `/v1/webhook-endpoints/${ID}/secret`, 'admin'],
    ['post', `/v1/webhook-endpoints/${ID}/enable`, 'admin'],
    ['post', `/v1/webhook-endpoints/${ID}/test`, 'admin'],
    ['post', `/v1/webhook-endpoints/${ID}/replay`, 'admin'],
    ['get', '/v1/api-keys', 'admin'],
    ['post', '/v1/api-keys', 'admin'],
    ['delete', `/v1/api-keys/${ID}`, 'admin'],
    ['get', '/v1/gateways', 'viewer'],
    ['post', '/v1/gateways', 'admin'],
    ['post', '/v1/canaries', 'admin'],
    ['post', `/v1/gateways/${ID}/token`, 'admin'],
    ['delete', `/v1/gateways/${ID}`, 'admin'],
    ['get', `/v1/gateways/${ID}/bottles`, 'viewer'],
    ['post', `/v1/gateways/${ID}/assign`, 'support'],
    ['post', `/v1/gateways/${ID}/unassign`, 'support'],
    ['get', '/v1/session', 'viewer'],
    ['delete', '/v1/session', 'viewer'],
    ['get', '/v1/session/all', 'viewer'],
    ['post', '/v1/session/end-others', 'viewer'],
    ['post', '/v1/session/password', 'viewer'],
    ['post', '/v1/session/second-factor', 'viewer'],
    ['put', '/v1/session/second-factor', 'viewer'],
    ['get', '/v1/session/views', 'viewer'],
    ['put', '/v1/session/views', 'viewer'],
    ['delete', '/v1/session/views?name=none', 'viewer'],
    ['get', '/v1/session/browsers', 'viewer'],
    ['put', '/v1/session/browsers', 'viewer'],
    ['delete', '/v1/session/browsers?id=none', 'viewer'],
    ['delete', `/v1/staff/${ID}/second-factor`, 'admin'],
    ['get', '/v1/settings', 'support'],
    ['get', '/v1/first-run', 'admin'],
    ['post', '/v1/first-run/backup', 'admin'],
    ['get', '/v1/staff', 'admin'],
    ['get', '/v1/staff/colleagues', 'support'],
    ['post', '/v1/staff', 'admin'],
    ['patch', `/v1/staff/${ID}`, 'admin'],
    ['get', '/v1/audit', 'support'],
    ['get', '/v1/audit/head', 'viewer'],
    // the response is endless; with an invalid id, it does not start
    ['get', '/v1/events?last_event_id=none', 'viewer'],
  ] as const;
  /** Routes that an API key may not use, whatever its role. */
  const OF_PEOPLE = [
    'post /v1/api-keys',
    'post /v1/staff',
    `patch /v1/staff/${ID}`,
    `delete /v1/staff/${ID}/second-factor`,
  ];
  /** Routes without authentication. */
  const OPEN = ['post /v1/session'];
  const ROLES = ['viewer', 'support', 'admin'];

  let support: Support;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    support = await Support.start('access', { OPERATIONS_KEY: ADMIN_TOKEN }, { live: true });
    for (const role of ROLES) keys[role] = await support.keyOf(role);
  });
  afterAll(() => support?.stop());

  it('has a row in the table above for every route that the API describes, with the role that it names', async () => {
    const { paths } = (await support.get('/docs/json')).body as {
      paths: Record<string, Record<string, { 'x-role'?: string }>>;
    };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        [method, path, operation['x-role'] ?? ''].join(' ').trim(),
      ),
    );
    const tested = ROUTES.map(
      ([method, path, role]) =>
        `${method} ${path
          .replace(/periods\/0+$/, 'periods/{period_id}')
          .replace(/0{24,}/, '{id}')
          .replace('/entry/', '/{attestation_id}/')
          .replace('someone', '{user_id}')
          .replace(/\?.*/, '')} ${role}`,
    );
    expect([...tested, ...OPEN].sort()).toEqual(described.sort());
  });

  it('describes refusals, sessions, nullable fields and closed requests', async () => {
    const { body } = await support.get('/docs/json');
    const { schemas, responses, securitySchemes } = body.components;
    expect(securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'pillwatch_session' },
      csrf: { type: 'apiKey', in: 'header', name: 'x-csrf-token' },
    });
    const committed = JSON.parse(readFileSync('docs/openapi/support-api.json', 'utf8'));
    expect({ ...body, components: 0 }).toEqual({ ...committed, components: 0 });
    // over TLS the cookie has another name
    expect({ schemas, responses }).toEqual({
      schemas: committed.components.schemas,
      responses: committed.components.responses,
    });
    for (const [path, methods] of Object.entries<Record<string, { security: object[] }>>(body.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        expect(operation).toMatchObject({
          summary: expect.any(String),
          responses: { 401: { $ref: '#/components/responses/Problem401' }, 500: {} },
        });
        const bySession = { session: [], ...(method === 'get' ? {} : { csrf: [] }) };
        expect(operation.security).toEqual(
          OPEN.includes(`${method} ${path}`) ? [] : [{ bearer: [] }, bySession],
        );
      }
    }
    expect(responses.Problem401.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
    expect(schemas.Bottle.properties.last_heard_at.type).toEqual(['string', 'null']);
    expect(schemas.ContactDetails.additionalProperties).toBe(false);
    const free = Object.entries<{ properties?: object }>(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, property]) => JSON.stringify(property).includes('"additionalProperties":true'))
        .map(([field]) => `${name}.${field}`),
    );
    // they differ by kind of alert, and by action
    expect(free.sort()).toEqual(['AlertDetail.evidence', 'AuditEntry.details']);
    const kinds = schemas.Schedule.oneOf.map(({ $ref }: { $ref: string }) => $ref);
    expect(kinds.map((name: string) => schemas[name.split('/').at(-1)!].properties.kind.enum[0])).toEqual([
      'times_of_day',
      'interval',
      'as_needed',
    ]);
  });

  describe.each(ROUTES)('%s %s is for %s and above', (method, path, least) => {
    it('refuses a request without a token', async () => {
      const answer = await support.call(method, path, undefined, null);
      expect(answer).toMatchObject({ status: 401, body: { code: 'token_missing' } });
    });

    it('refuses an unknown token', async () => {
      const answer = await support.call(method, path, undefined, `pwk_${'A'.repeat(43)}`);
      expect(answer).toMatchObject({ status: 401, body: { code: 'token_unknown' } });
    });

    it.each(ROLES)('enforces what a %s may do', async (role) => {
      const answer = await support.call(method, path, {}, keys[role]);
      if (ROLES.indexOf(role) < ROLES.indexOf(least)) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'role_insufficient' } });
      } else if (OF_PEOPLE.includes(`${method} ${path}`)) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'person_required' } });
      } else {
        expect([200, 201, 204, 400, 404]).toContain(answer.status);
      }
    });
  });

  it.each([
    ['a scheme that is not Bearer', 'Basic YWRtaW46YWRtaW4='],
    ['an empty bearer', 'Bearer '],
    ['the admin token without a scheme', ADMIN_TOKEN],
  ])('does not accept %s as a token', async (_, header) => {
    const answer = await supertest(support.app.getHttpServer())
      .get('/v1/bottles')
      .set('authorization', header);
    expect(answer).toMatchObject({ status: 401, body: { code: 'token_missing' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([ADMIN_TOKEN.slice(0, -1), `${ADMIN_TOKEN}x`, ADMIN_TOKEN.toUpperCase()])(
    'does not take %s for the admin token',
    async (token) => {
      expect(await support.get('/v1/bottles', token)).toMatchObject({
        status: 401,
        body: { code: 'token_unknown' },
      });
    },
  );

  it("does not accept a device's token as a key", async () => {
    const { token } = await support.register();
    expect(await support.get('/v1/bottles', token)).toMatchObject({
      status: 401,
      body: { code: 'token_unknown' },
    });
  });

  it('refuses an address that sends wrong tokens or passwords, but takes every right token', async () => {
    const app = await startSupportApi(support.database.uri, support.clock, { WRONG_TOKEN_LIMIT: '4/m' });
    const read = (token: string) =>
      supertest(app.getHttpServer()).get('/v1/fleet').set('authorization', `Bearer ${token}`);
    const signIn = (body: object | string) =>
      supertest(app.getHttpServer()).post('/v1/session').set('content-type', 'application/json').send(body);
    try {
      expect((await read(keys['viewer']!)).status).toBe(200);
      for (const [answer, status] of [
        [await read('wrong'), 401],
        [await signIn('{'), 400],
        [await signIn({ email: 'a@example.org' }), 400],
        [await signIn({ email: 'a@example.org', password: 'wrong password' }), 401],
        [await signIn('{'), 429],
        [await read('wrong'), 429],
        [await read(keys['support']!), 200],
        [await read(keys['viewer']!), 200],
      ] as const)
        expect(answer.status).toBe(status);
      const refused = await signIn({});
      expect(refused.body).toMatchObject({ code: 'too_many_failures' });
      expect(refused.headers['ratelimit']).toMatch(/^"failures";r=0;t=\d+$/);
      support.clock.advance(60_000);
      expect((await read('wrong')).status).toBe(401);
    } finally {
      await app.close();
    }
  });

  it('limits the requests of a key, and says what is left', async () => {
    const app = await startSupportApi(support.database.uri, support.clock, { STAFF_RATE_LIMIT: '2/m' });
    const read = (role: string) =>
      supertest(app.getHttpServer()).get('/v1/fleet').set('authorization', `Bearer ${keys[role]}`);
    try {
      for (const [role, status, left] of [
        ['viewer', 200, 1],
        ['viewer', 200, 0],
        ['viewer', 429, 0],
        ['support', 200, 1],
      ] as const) {
        const answer = await read(role);
        expect({ status: answer.status, ...answer.headers }).toMatchObject({
          status,
          'ratelimit-policy': '"requests";q=2;w=60',
          ratelimit: `"requests";r=${left};t=60`,
          ...(status === 429 && { 'retry-after': '60' }),
        });
      }
      support.clock.advance(60_000);
      expect((await read('viewer')).status).toBe(200);
    } finally {
      await app.close();
    }
  });

  it('limits the requests of a key that has ended, too', async () => {
    const app = await startSupportApi(support.database.uri, support.clock, { STAFF_RATE_LIMIT: '3/m' });
    const { id, key } = (await support.post('/v1/api-keys', { name: 'ends', role: 'viewer' })).body;
    const read = () => supertest(app.getHttpServer()).get('/v1/fleet').set('authorization', `Bearer ${key}`);
    try {
      await read().expect(200);
      await support.call('delete', `/v1/api-keys/${id}`);
      for (const status of [401, 401, 429]) await read().expect(status);
    } finally {
      await app.close();
    }
  });

  it('counts no session that has ended and no right password, so that no office is locked out', async () => {
    const app = await startSupportApi(support.database.uri, support.clock, {
      WRONG_TOKEN_LIMIT: '3/m',
      SECOND_FACTOR: 'viewer',
      SECOND_FACTOR_KEY: 'a-key-for-tests-0123456789-0123456789',
    });
    const http = supertest(app.getHttpServer());
    const { email, password } = await staffMember(support, 'viewer');
    const signIn = (code?: string) => http.post('/v1/session').send({ email, password, code });
    const { headers, body } = await signIn();
    const cookie = headers['set-cookie']![0]!.split(';')[0]!;
    const call = (path: string, method: 'get' | 'post' | 'put' = 'get') =>
      http[method](path).set('cookie', cookie).set('x-csrf-token', body.csrf_token);
    const begun = await call('/v1/session/second-factor', 'post').send({ password }).expect(200);
    const code = authenticatorCode(begun.body.secret, support.clock.now());
    await call('/v1/session/second-factor', 'put').send({ code }).expect(200);
    try {
      for (let time = 0; time < 5; time += 1)
        expect((await signIn()).body).toMatchObject({ status: 401, code: 'second_factor_needed' });
      await support.database.db.collection('staff_sessions').deleteMany({});
      for (let time = 0; time < 5; time += 1)
        expect((await call('/v1/session')).body).toMatchObject({ status: 401, code: 'not_signed_in' });
      for (let time = 0; time < 3; time += 1)
        await http.get('/v1/fleet').set('authorization', 'Bearer wrong').expect(401);
      await signIn().expect(429);
    } finally {
      support.clock.advance(60_000);
      await app.close();
    }
  });

  it('refuses an address that guesses the key of operations, and records it', async () => {
    const settings = { WRONG_TOKEN_LIMIT: '2/m', OPERATIONS_KEY: 'k'.repeat(32) };
    const app = await startSupportApi(support.database.uri, support.clock, settings);
    const ask = (key: string) =>
      supertest(app.getHttpServer()).get('/metrics').set('authorization', `Bearer ${key}`);
    try {
      for (const [key, status] of [
        ['a', 401],
        ['b', 401],
        ['c', 429],
        ['k'.repeat(32), 200],
      ] as const)
        expect((await ask(key)).status).toBe(status);
      support.clock.advance(60_000);
      expect((await ask('k'.repeat(32))).status).toBe(200);
    } finally {
      await app.close();
    }
    const { items } = (await support.get('/v1/audit?category=refusal&subject=route:GET%20/metrics')).body;
    expect(items[0]).toMatchObject({
      action: 'request.refuse',
      details: { code: 'operations_key_required' },
      who: { address: '127.0.0.1' },
    });
  });

  it('reads no body before it knows the caller', async () => {
    for (const token of [null, `pwk_${'A'.repeat(43)}`])
      expect((await support.post('/v1/bottles', '{"broken": ', token)).status).toBe(401);
  });

  it.each([
    ['delete', '/v1/bottles', 'GET, HEAD, POST'],
    ['put', `/v1/alerts/${ID}/acknowledge`, 'POST'],
    ['get', '/v1/session/password', 'POST'],
  ] as const)('answers %s %s with the methods that there are', async (method, path, allow) => {
    const answer = await support.call(method, path);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers['allow']!.split(', ').sort().join(', ')).toBe(allow);
  });

  it('requires no token for health', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect((await support.get(path, null)).status).toBe(200);
    }
  });

  it('asks a slow database once for all who ask for health meanwhile', async () => {
    const database = support.app.get(DatabaseStatus);
    const answers = database.ping.bind(database);
    const ping = jest.spyOn(database, 'ping').mockImplementation(() => sleep(500).then(answers));
    const asked = await Promise.all(Array.from({ length: 60 }, () => support.get('/health/ready', null)));
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
    expect(ping.mock.calls.length).toBeLessThan(20);
    ping.mockRestore();
  });

  it.each(['/metrics', '/docs/json', '/%64ocs/json'])(
    'opens %s by the key of operations only',
    async (path) => {
      const http = supertest(support.app.getHttpServer());
      const refused = await http.get(path);
      expect(refused).toMatchObject({ status: 401, body: { code: 'operations_key_required' } });
      expect(refused.headers['www-authenticate']).toMatch(/^Basic /);
      expect((await support.get(path, keys['admin'])).status).toBe(401);
      expect((await http.get(path).auth('anyone', 'x'.repeat(40))).status).toBe(401);
      expect((await support.get(path, ADMIN_TOKEN)).status).toBe(200);
      expect((await http.get(path).auth('anyone', ADMIN_TOKEN)).status).toBe(200);
    },
  );
});
