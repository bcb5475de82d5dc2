import supertest from 'supertest';
import { insertAlerts } from './fixtures.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { type Answer, Support } from './support.js';

describe('Idempotency-Key', () => {
  let support: Support;
  let keys = 0;

  beforeAll(async () => {
    support = await Support.start('idempotency', { KEEP_ADMIN_TOKEN: 'true' });
  });
  afterAll(() => support?.stop());

  const BOTTLE = { user_id: 'will', medication: 'Cordrazine', time_zone: 'UTC' };
  const newKey = (): string => `key-${(keys += 1)}`;

  async function post(path: string, body: object, key: string, token = ADMIN_TOKEN): Promise<Answer> {
    return supertest(support.app.getHttpServer())
      .post(path)
      .set('authorization', `Bearer ${token}`)
      .set('idempotency-key', key)
      .send(body);
  }
  const count = (collection: string): Promise<number> =>
    support.database.db.collection(collection).countDocuments();

  it.each<[string, object, string]>([
    ['/v1/bottles', BOTTLE, 'bottles'],
    ['/v1/gateways', { name: 'hub' }, 'gateways'],
    ['/v1/api-keys', { name: 'night shift', role: 'viewer' }, 'api_keys'],
    ['/v1/staff', { email: 'carol@example.org', role: 'support' }, 'staff'],
  ])(
    'POST %s is carried out once, and a retry gets the same secret and address',
    async (path, body, made) => {
      const [key, before] = [newKey(), await count(made)];
      const first = await post(path, body, key);
      expect(first.status).toBe(201);
      const { location } = first.headers;
      // what cannot be read by itself has none
      expect(location?.slice(0, -24)).toBe(path === '/v1/bottles' ? '/v1/bottles/' : undefined);
      if (location) expect((await support.get(location)).status).toBe(200);
      const again = await post(path, body, key);
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers['location']).toBe(location);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(await count(made)).toBe(before + 1);
      const stored = JSON.stringify(
        await support.database.db.collection('idempotent_requests').find().toArray(),
      );
      for (const secret of [first.body.token, first.body.key, first.body.password, 'will'])
        if (secret) expect(stored).not.toContain(secret);
    },
  );

  it('is a parameter of every POST but those that make no second thing when repeated', async () => {
    const { paths } = (await support.get('/docs/json')).body as {
      paths: Record<string, { post?: { parameters?: { name: string }[] } }>;
    };
    const without = Object.entries(paths).filter(
      ([, { post }]) => post && !post.parameters?.some(({ name }) => name === 'Idempotency-Key'),
    );
    const repeatable = [
      // the second one finds nothing to do, or is refused
      ...['acknowledge', 'assign', 'close', 'snooze'].map((verb) => `/v1/alerts/${verb}`),
      '/v1/alerts/close/preview',
      ...['acknowledge', 'assign', 'close', 'confirm', 'dismiss'].map((verb) => `/v1/alerts/{id}/${verb}`),
      ...['snooze', 'withdraw'].map((verb) => `/v1/alerts/{id}/${verb}`),
      '/v1/bottles/import/check',
      '/v1/bottles/schedule/preview',
      '/v1/bottles/{id}/move/preview',
      '/v1/bottles/{id}/schedule/preview',
      ...['retire', 'store', 'assign'].map((verb) => `/v1/bottles/{id}/${verb}`),
      '/v1/deliveries/send-pending',
      '/v1/deliveries/{id}/replay',
      // the backup is confirmed already
      '/v1/first-run/backup',
      ...['assign', 'unassign'].map((verb) => `/v1/gateways/{id}/${verb}`),
      ...['enable', 'replay', 'test'].map((verb) => `/v1/webhook-endpoints/{id}/${verb}`),
      // a credential of one's own: a retry replaces it, or finds no others
      '/v1/session',
      '/v1/session/end-others',
      '/v1/session/password',
      '/v1/session/second-factor',
    ];
    expect(without.map(([path]) => path).sort()).toEqual(repeatable.sort());
  });

  it('of an alert: a note is added once', async () => {
    const [[id], key] = [await insertAlerts(support, [{}]), newKey()];
    const first = await post(`/v1/alerts/${id}/note`, { note: 'called the carer' }, key);
    const again = await post(`/v1/alerts/${id}/note`, { note: 'called the carer' }, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect((await support.get(`/v1/alerts/${id}`)).body.history).toHaveLength(2);
  });

  it('of many at once one makes it, and all get its response', async () => {
    const [key, before] = [newKey(), await count('bottles')];
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/v1/bottles', BOTTLE, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(await count('bottles')).toBe(before + 1);
  });

  it('the same key with another body, or another address, is 422', async () => {
    const key = newKey();
    await post('/v1/bottles', BOTTLE, key);
    for (const [path, body] of [
      ['/v1/bottles', { ...BOTTLE, user_id: 'anna' }],
      ['/v1/gateways', { name: 'hub' }],
    ] as const)
      expect(await post(path, body, key)).toMatchObject({
        status: 422,
        body: { title: 'Cannot be processed', code: 'idempotency_key_reused' },
      });
  });

  it('a refused request is not kept: the same key may try again', async () => {
    const key = newKey();
    expect((await post('/v1/gateways', { name: '' }, key)).status).toBe(400);
    expect((await post('/v1/gateways', { name: 'hub' }, key)).status).toBe(201);
  });

  it('the keys of two callers have nothing to do with each other', async () => {
    const [key, other] = [newKey(), await support.keyOf('admin')];
    const first = await post('/v1/gateways', { name: 'hub' }, key);
    const second = await post('/v1/gateways', { name: 'hub' }, key, other);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('a crash between the act and its record leaves neither', async () => {
    const [key, before] = [newKey(), await count('bottles')];
    // the record's document is refused, as if the process ended there
    const refuse = { validator: { response: { $exists: false } }, validationAction: 'error' };
    await support.database.db.command({ collMod: 'idempotent_requests', ...refuse });
    expect((await post('/v1/bottles', BOTTLE, key)).status).toBe(500);
    expect(await count('bottles')).toBe(before);
    await support.database.db.command({ collMod: 'idempotent_requests', validator: {} });
    expect((await post('/v1/bottles', BOTTLE, key)).status).toBe(201);
    expect(await count('bottles')).toBe(before + 1);
  });

  it('a key that is empty, too long or not ASCII is refused', async () => {
    for (const key of ['x'.repeat(256), 'a b'])
      expect(await post('/v1/gateways', { name: 'hub' }, key)).toMatchObject({
        status: 400,
        body: { code: 'invalid_idempotency_key' },
      });
  });
});
