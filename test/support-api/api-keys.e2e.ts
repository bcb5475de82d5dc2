import { NOW, Support } from './support.js';

let support: Support;

beforeAll(async () => {
  support = await Support.start('api-keys');
});
afterAll(() => support?.stop());

it('makes a key, shows it once, lists it without its secret, and ends it at once', async () => {
  const created = await support.post('/v1/api-keys', { name: 'night shift', role: 'support' });
  const { id, key } = created.body;
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'night shift', role: 'support', created_at: NOW.toISOString() },
  });
  expect(key).toMatch(/^pwk_[\w-]{43}$/);
  expect((await support.get('/v1/bottles', key)).status).toBe(200);

  const list = await support.get('/v1/api-keys');
  expect(list.body.items).toEqual([
    { id, name: 'night shift', role: 'support', created_at: NOW.toISOString() },
  ]);
  expect(await support.stored()).not.toContain(key);

  expect((await support.call('delete', `/v1/api-keys/${id}`)).status).toBe(204);
  expect(await support.get('/v1/bottles', key)).toMatchObject({
    status: 401,
    body: { code: 'token_unknown' },
  });
  expect(await support.call('delete', `/v1/api-keys/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'api_key_not_found' },
  });
});

it.each(['notifier', 'Notifier', 'ADMIN_TOKEN', ' ', '<b>', 'a\nb'])('refuses the name %j', async (name) => {
  const answer = await support.post('/v1/api-keys', { name, role: 'viewer' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_value', field: 'name' } });
});
