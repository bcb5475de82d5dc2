import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { ADMIN_TOKEN, Support } from './support.js';

let support: Support;
let bottle: { id: string; token: string };

beforeAll(async () => {
  support = await Support.start('csv');
  bottle = await support.register({ user_id: '=cmd|calc', medication: 'Levothyroxine "50 µg"' });
  await support.report(bottle.token, 'heartbeats', { rssi_dbm: -61 });
  const lines = Array.from({ length: 450 }, (_, index) => `user-${index},Crowdpill,Europe/Berlin`);
  await support.importCsv(['user_id,medication,time_zone', ...lines].join('\n'));
  await insertAlerts(
    support,
    Array.from({ length: 450 }, (_, index) => ({
      raised_at: at(-index),
      kind: index % 2 ? 'bottle_open' : 'low_supply',
    })),
  );
  await insertDeliveries(support, [{ attempts: [{ at: at(0), ok: false, error: 'x' }] }, { status: 'dead' }]);
});
afterAll(() => support?.stop());

const read = (text: string) => parse(text, { bom: true, columns: true }) as Record<string, string>[];

it('is the whole list with its filters, as a table', async () => {
  const answer = await support.get('/v1/bottles?medication=Crowdpill&format=csv');
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment',
    'cache-control': 'no-store',
  });
  const rows = read(answer.text);
  expect(rows).toHaveLength(450);
  expect(new Set(rows.map(({ user_id }) => user_id)).size).toBe(450);
  expect(rows[0]).toMatchObject({ status: 'unknown', pills_left: '', 'last_action.time': '' });
  expect(read((await support.get('/v1/bottles?q=user-44&format=csv')).text)).toHaveLength(11);
});

it('is given to whoever accepts it', async () => {
  const get = (accept: string) =>
    supertest(support.app.getHttpServer())
      .get('/v1/alerts?order=needs_person&kind=low_supply')
      .set('authorization', `Bearer ${ADMIN_TOKEN}`)
      .set('accept', accept);
  const answer = await get('text/csv');
  expect(read(answer.text)).toHaveLength(225);
  expect((await get('application/json')).body.items).toHaveLength(50);
  expect((await get('*/*')).body.items).toHaveLength(50);
});

it('makes no formula of what somebody wrote, and numbers stay numbers', async () => {
  const { text } = await support.get('/v1/bottles?q=cmd&format=csv');
  expect(text).toContain(`,'=cmd|calc,"Levothyroxine ""50 µg""",`);
  const heartbeats = read((await support.get(`/v1/bottles/${bottle.id}/heartbeats?format=csv`)).text);
  expect(heartbeats).toMatchObject([{ rssi_dbm: '-61' }]);
});

it.each([
  ['/v1/alerts', 450, 'dead_deliveries'],
  ['/v1/deliveries', 2, 'attempts.length'],
  ['/v1/deliveries?status=dead', 1, 'reason'],
  ['/v1/audit', 451, 'who.name'],
  ['/v1/bottles', 451, 'bottle_id'],
])('of %s has %i lines', async (path, count, column) => {
  const rows = read((await support.get(`${path}${path.includes('?') ? '&' : '?'}format=csv`)).text);
  expect(rows).toHaveLength(count);
  expect(rows[0]![column]).toBeDefined();
});

it.each(['actions', 'heartbeats', 'doses'])('of a bottle’s %s is there too', async (what) => {
  const { status, text } = await support.get(`/v1/bottles/${bottle.id}/${what}?format=csv`);
  expect(status).toBe(200);
  expect(text.split('\r\n')[0]).toMatch(/^\uFEFF[a-z_,]+$/);
});

it.each([
  ['limit=10', 'forbidden_field'],
  ['cursor=abc', 'forbidden_field'],
  ['status=broken', 'invalid_value'],
])('refuses %s as ever', async (query, code) => {
  expect(await support.get(`/v1/bottles?format=csv&${query}`)).toMatchObject({ status: 400, body: { code } });
  expect(await support.get(`/v1/bottles?format=pdf`)).toMatchObject({ status: 400 });
});

it('breaks off when it fails in the middle, so that nobody takes a part for the whole', async () => {
  const [id] = await insertAlerts(support, [{ raised_at: at(-300) }]);
  const broken = { _id: new Types.ObjectId(id) };
  await support.database.db.collection('alerts').updateOne(broken, { $unset: { bottle_id: '' } });
  await support.app.listen(0, '127.0.0.1');
  const { port } = support.app.getHttpServer().address() as { port: number };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/alerts?format=csv`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});
