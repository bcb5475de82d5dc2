import { MINUTE_MS } from '#domain';
import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { Devices } from './devices.js';

describe('service', () => {
  let devices: Devices;

  beforeAll(async () => {
    devices = await Devices.start('device-service', {
      DEVICE_RATE_LIMIT: '3/m',
      GATEWAY_RATE_LIMIT: '4/m',
      WRONG_TOKEN_LIMIT: '10/m',
    });
  });
  afterAll(() => devices.stop());

  it('refuses a device that asks too often, says when to come back, and lets the others in', async () => {
    const [eager, calm] = [await devices.register(), await devices.register()];
    for (let left = 2; left >= 0; left -= 1) {
      const { status, headers } = await devices.post(eager, '/v1/heartbeats');
      expect({ status, ...headers }).toMatchObject({
        status: 204,
        'ratelimit-policy': '"reports";q=3;w=60',
        ratelimit: `"reports";r=${left};t=60`,
      });
    }
    const before = await devices.stored();
    const counted = await devices.refused('rate_limited');
    for (const path of ['/v1/heartbeats', '/v1/actions', '/v1/batch']) {
      const refused = await devices.post(eager, path, {});
      expect(refused).toMatchObject({ status: 429, body: { status: 429, code: 'rate_limited' } });
      const seconds = Number(refused.headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(refused.headers['ratelimit']).toBe(`"reports";r=0;t=${seconds}`);
    }
    expect(await devices.stored()).toBe(before);
    expect((await devices.refused('rate_limited')) - counted).toBe(3);
    expect((await devices.post(calm, '/v1/heartbeats')).status).toBe(204);
  });

  it('refuses an address that sends wrong tokens, but takes every right one', async () => {
    const [known, late] = [await devices.register(), await devices.register()];
    expect((await devices.post(known, '/v1/heartbeats')).status).toBe(204);
    const gateway = '/v1/gateway/batch';
    const tryToken = (n: number) =>
      devices.post({ token: `pwb_${n}` }, n % 2 === 0 ? '/v1/heartbeats' : gateway, {});
    for (let n = 0; n < 10; n += 1) {
      const { status, headers } = await tryToken(n);
      expect({ status, ...headers }).toMatchObject({
        status: 401,
        'ratelimit-policy': '"failures";q=10;w=60',
        ratelimit: `"failures";r=${9 - n};t=60`,
      });
    }
    for (const answer of [await tryToken(0), await tryToken(11)]) {
      expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_failures' } });
      expect(Number(answer.headers['retry-after'])).toBe(60);
    }
    for (const right of [known, late]) expect((await devices.post(right, '/v1/heartbeats')).status).toBe(204);
    devices.clock.advance(MINUTE_MS);
    expect((await tryToken(12)).status).toBe(401);
  });

  it('gives each request an id, or keeps the one that it has', async () => {
    const idOf = async (headers: Record<string, string>): Promise<unknown> =>
      (await devices.send('/v1/none', { headers })).headers['x-request-id'];
    expect(await idOf({ 'x-request-id': 'gateway-7:42' })).toBe('gateway-7:42');
    for (const odd of ['', 'a b', 'x'.repeat(101)])
      expect(await idOf({ 'x-request-id': odd })).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf({})).not.toBe(await idOf({}));
  });

  it('counts the reports of a batch, and takes one that is larger than the limit once in a while', async () => {
    const bottle = await devices.register();
    const heartbeats = (count: number) => ({
      items: Array.from({ length: count }, () => ({ type: 'heartbeat' })),
    });
    const gateway = await devices.gateway(bottle);
    const forwarded = { items: [{ type: 'heartbeat', bottle_id: bottle.id }] };
    const counted = await devices.refused('rate_limited');
    for (const [from, path, body, status, left] of [
      [bottle, '/v1/batch', heartbeats(2), 200, 1],
      [bottle, '/v1/batch', heartbeats(2), 429, 0],
      [bottle, '/v1/heartbeats', undefined, 429, 0],
      [gateway, '/v1/gateway/batch', { items: Array.from({ length: 5 }, () => forwarded.items[0]) }, 200, 0],
      [gateway, '/v1/gateway/batch', forwarded, 429, 0],
    ] as const) {
      const answer = await devices.post(from, path, body);
      expect({ path, status: answer.status, ratelimit: answer.headers['ratelimit'] }).toEqual({
        path,
        status,
        ratelimit: `"reports";r=${left};t=60`,
      });
    }
    // two in the batch, and one in each request that was not read
    expect((await devices.refused('rate_limited')) - counted).toBe(4);
    devices.clock.advance(MINUTE_MS);
    expect((await devices.post(bottle, '/v1/batch', heartbeats(4))).status).toBe(200);
    expect((await devices.post(bottle, '/v1/heartbeats')).status).toBe(429);
    expect((await devices.post(gateway, '/v1/gateway/batch', forwarded)).status).toBe(200);
  });

  it('compresses large answers for clients that take gzip', async () => {
    const { token } = await devices.register();
    const http = supertest(devices.app.getHttpServer());
    const ask = (path: string, body?: object) =>
      (body ? http.post(path).send(body) : http.get(path)).set({
        authorization: `Bearer ${token}`,
        'accept-encoding': 'gzip',
      });
    const items = (count: number): object => ({
      items: Array.from({ length: count }, () => ({ type: 'nothing' })),
    });
    const packed = { 'content-encoding': 'gzip', vary: 'accept-encoding' };
    expect((await ask('/docs/json')).headers).toMatchObject(packed);
    expect((await ask('/v1/batch', items(100))).headers).toMatchObject(packed);
    devices.clock.advance(MINUTE_MS);
    expect((await ask('/v1/batch', items(1))).headers['content-encoding']).toBeUndefined();
  });

  it('knows a bottle by its newest token only', async () => {
    const bottle = await devices.register();
    const token = await devices.rotate(bottle);
    expect(await devices.post(bottle, '/v1/heartbeats')).toMatchObject({
      status: 401,
      body: { code: 'token_revoked' },
    });
    expect((await devices.post({ token }, '/v1/heartbeats')).status).toBe(204);
    const newest = await devices.rotate(bottle);
    devices.clock.advance(MINUTE_MS);
    for (const old of [bottle.token, token])
      expect((await devices.post({ token: old }, '/v1/heartbeats')).body.code).toBe('token_revoked');
    expect((await devices.post({ token: newest }, '/v1/heartbeats')).status).toBe(204);
    expect(await devices.heartbeats(bottle)).not.toHaveLength(0);
  });

  it('describes itself by OpenAPI 3.1', async () => {
    const { status, body } = await devices.get('/docs/json');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.any(String), version: expect.any(String) },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
    expect(Object.keys(body.paths).sort()).toEqual([
      '/v1/actions',
      '/v1/batch',
      '/v1/gateway/batch',
      '/v1/heartbeats',
    ]);
    for (const path of Object.values<Record<string, object>>(body.paths))
      expect(path).toMatchObject({
        post: { operationId: expect.any(String), security: [{ bearer: [] }], requestBody: { content: {} } },
      });
    const answers = Object.entries<Record<string, { responses: object }>>(body.paths).map(
      ([path, { post }]) => [path, Object.keys(post!.responses).sort()],
    );
    const refused = ['400', '401', '403', '408', '409', '413', '415', '429', '431', '500', '503'];
    expect(Object.fromEntries(answers)).toEqual({
      '/v1/heartbeats': ['200', '204', ...refused],
      '/v1/actions': ['200', '201', ...refused],
      '/v1/batch': ['200', ...refused],
      '/v1/gateway/batch': ['200', ...refused],
    });
    const { Opened, Closed } = body.components.schemas;
    expect(Opened.required.toSorted()).toEqual(['action', 'time']);
    expect(Closed.required.toSorted()).toEqual(['action', 'pills_taken', 'time']);
    for (const { properties, additionalProperties } of [Opened, Closed]) {
      expect(additionalProperties).toBe(true);
      expect('pills_taken' in properties).toBe(properties.action.enum[0] === 'closed');
    }
    expect(body).toEqual(JSON.parse(readFileSync('docs/openapi/device-api.json', 'utf8')));
    // every reference leads somewhere
    const references = JSON.stringify(body).match(/#\/components\/schemas\/\w+/g) ?? [];
    for (const reference of references)
      expect(body.components.schemas).toHaveProperty(reference.split('/').at(-1)!);
  });

  it('tells whether it lives, is ready, and what it has done', async () => {
    const bottle = await devices.register();
    await devices.post(bottle, '/v1/heartbeats');
    expect(await devices.get('/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await devices.get('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', info: { database: { status: 'up' }, accepting: { status: 'up' } } },
    });
    const metrics = await devices.get('/metrics');
    expect(metrics.headers['content-type']).toMatch(/^text\/plain/);
    expect(metrics.text).toMatch(/_total\{type="heartbeat",result="stored"\} [1-9]/);
    expect(metrics.text).toMatch(/^pillwatch_report_group_size_bucket\{le="1"\} [1-9]/m);
    expect(metrics.text).toMatch(/^pillwatch_report_group_seconds_count [1-9]/m);
  });
});
