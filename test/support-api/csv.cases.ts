import { AlertListsRepository } from '#persistence';
import { jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { Types } from 'mongoose';
import supertest from 'supertest';
import { at, insertAlerts, insertDeliveries } from './fixtures.js';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { Support } from './support.js';

describe('csv', () => {
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
    await insertDeliveries(support, [
      { attempts: [{ at: at(0), ok: false, error: 'x' }] },
      { status: 'dead' },
    ]);
  });
  afterAll(() => support?.stop());

  const read = (text: string) => parse<Record<string, string>>(text, { bom: true, columns: true });

  it.each([
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/csv;q=0, */*', 'application/json'],
    ['application/json;q=0.5, text/csv', 'text/csv'],
  ])('accept: %s gets %s', async (accept, type) => {
    const answer = await supertest(support.app.getHttpServer())
      .get('/v1/gateways')
      .set({ authorization: `Bearer ${ADMIN_TOKEN}`, accept });
    expect(answer.headers['content-type']).toContain(type);
  });

  it.each(['/v1/alerts?limit=200', '/v1/alerts?format=csv'])('%s is compressed on request', async (path) => {
    const get = (encoding: string) =>
      supertest(support.app.getHttpServer())
        .get(path)
        .set({ authorization: `Bearer ${ADMIN_TOKEN}`, 'accept-encoding': encoding });
    const [packed, plain] = [await get('gzip'), await get('gzip;q=0, identity')];
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept, accept-encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.text).toBe(plain.text);
  });

  it('contains the whole list, with its filters', async () => {
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

  it('is sent to clients that accept it', async () => {
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

  it('escapes formulas in text, and numbers stay numbers', async () => {
    const { text } = await support.get('/v1/bottles?q=cmd&format=csv');
    expect(text).toContain(`,'=cmd|calc,"Levothyroxine ""50 µg""",`);
    const heartbeats = read((await support.get(`/v1/bottles/${bottle.id}/heartbeats?format=csv`)).text);
    expect(heartbeats).toMatchObject([{ rssi_dbm: '-61' }]);
  });

  it.each([
    ['/v1/alerts', 450, 'dead_deliveries'],
    ['/v1/deliveries', 2, 'attempts.length'],
    ['/v1/deliveries?status=dead', 1, 'reason'],
    ['/v1/audit?category=change', 451, 'who.name'],
    ['/v1/bottles', 451, 'bottle_id'],
  ])('of %s has %i lines', async (path, count, column) => {
    const rows = read((await support.get(`${path}${path.includes('?') ? '&' : '?'}format=csv`)).text);
    expect(rows).toHaveLength(count);
    expect(rows[0]![column]).toBeDefined();
  });

  it.each(['actions', 'heartbeats', 'doses'])('of a bottle’s %s is there too', async (what) => {
    const { status, text } = await support.get(`/v1/bottles/${bottle.id}/${what}?format=csv`);
    expect(status).toBe(200);
    expect(text.split('\r\n')[0]).toMatch(/^\uFEFF[a-z_,.]+$/);
  });

  it('of a chart has a line for each point, and a gap is empty', async () => {
    const range = `from=${at(-3).toISOString()}&step=1m`;
    const { text, headers } = await support.get(`/v1/fleet/charts?series=adherence&${range}&format=csv`);
    const { body } = await support.get(`/v1/fleet/charts?series=adherence&${range}`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const rows = read(text);
    expect(rows).toHaveLength(body.columns[0].length);
    expect(Object.keys(rows[0]!)).toEqual(['time', ...body.series.map(({ key }: { key: string }) => key)]);
    expect(rows[0]).toMatchObject({
      time: new Date(body.columns[0][0] * 1000).toISOString(),
      measured_taken: '',
      attested_share: '',
    });
    const vitals = await support.get(`/v1/bottles/${bottle.id}/charts?series=signal&format=csv`);
    expect(read(vitals.text).some(({ average }) => average === '-61')).toBe(true);
  });

  it('of a bottle’s timeline has columns for every kind, and more than a page', async () => {
    const { id, token } = await support.register();
    const openings = Array.from({ length: 201 }, (_, seconds) => ({
      action: 'opened',
      time: at(-seconds / 60).toISOString(),
      mass_of_contents: 9,
      number_of_pills: 25,
    }));
    await Promise.all(openings.map((opening) => support.report(token, 'actions', opening)));
    const [alert] = await insertAlerts(support, [
      { bottle_id: new Types.ObjectId(id), kind: 'bottle_open', raised_at: support.clock.now() },
    ]);
    await insertDeliveries(support, [
      { bottle_id: new Types.ObjectId(id), alert_id: new Types.ObjectId(alert), recipient: '@carer' },
    ]);
    const rows = read((await support.get(`/v1/bottles/${id}/timeline?format=csv`)).text);
    expect(rows).toHaveLength(203);
    const first = (kind: string): object => rows.find((row) => row['kind'] === kind) ?? {};
    expect(first('action')).toMatchObject({ 'action.action': 'opened', 'alert.kind': '', 'gap.missed': '' });
    expect(first('alert_raised')).toMatchObject({ 'alert.id': alert, 'alert.kind': 'bottle_open' });
    expect(first('message')).toMatchObject({ 'message.alert_id': alert, 'message.recipient': "'@carer" });
    const early = `/v1/bottles/${id}/timeline?format=csv&to=${at(-1e4).toISOString()}`;
    expect(read((await support.get(early)).text)).toEqual([]);
    expect(await support.get('/v1/bottles/ffffffffffffffffffffffff/timeline?format=csv')).toMatchObject({
      status: 404,
    });
  });

  it('of staff, API keys, gateways and a gateway’s bottles is there too', async () => {
    const { body: gateway } = await support.post('/v1/gateways', { name: 'hub' });
    await support.post(`/v1/gateways/${gateway.id}/assign`, { bottle_ids: [bottle.id] });
    await support.keyOf('viewer');
    await support.post('/v1/staff', { email: 'a@example.org', role: 'viewer' });
    const lists = ['/v1/staff', '/v1/api-keys', '/v1/gateways', `/v1/gateways/${gateway.id}/bottles`];
    for (const path of lists) {
      const { body } = await support.get(path);
      const rows = read((await support.get(`${path}?format=csv`)).text);
      expect(rows).toHaveLength(1);
      for (const [name, value] of Object.entries(body.items[0] as object)) {
        const columns = Object.keys(rows[0]!).filter((column) => column.split('.')[0] === name);
        expect(columns).not.toEqual([]);
        // the first one begins like a formula
        if (name === 'user_id') continue;
        for (const column of columns)
          expect([column, rows[0]![column]]).toEqual([column, String(value ?? '')]);
      }
    }
  });

  it('is for support and admin, of every list, and is recorded before it is sent', async () => {
    const viewer = await support.keyOf('viewer');
    const ofBottle = ['doses', 'adherence'].map((part) => `/v1/bottles/${bottle.id}/${part}`);
    for (const path of ['/v1/bottles', '/v1/alerts', ...ofBottle, '/v1/gateways']) {
      expect(await support.get(`${path}?format=csv`, viewer)).toMatchObject({
        status: 403,
        body: { code: 'role_insufficient' },
      });
      expect((await support.get(path, viewer)).status).toBe(200);
    }
    const accepting = await supertest(support.app.getHttpServer())
      .get('/v1/bottles')
      .set({ authorization: `Bearer ${viewer}`, accept: 'text/csv' });
    expect(accepting.status).toBe(403);
    await support.get('/v1/bottles?medication=Crowdpill&format=csv', await support.keyOf('support'));
    const { body } = await support.get('/v1/audit?category=read&limit=20');
    // what was only seen is written later
    expect(body.items.find(({ action }: { action: string }) => action.endsWith('.download'))).toMatchObject({
      action: 'bottle.download',
      who: { name: 'a support', address: '127.0.0.1' },
      subject: { kind: 'list', id: 'bottles' },
      details: { medication: 'Crowdpill' },
    });
  });

  it.each([
    ['limit=10', 'forbidden_field'],
    ['cursor=abc', 'forbidden_field'],
    ['status=broken', 'invalid_value'],
  ])('refuses %s as for JSON', async (query, code) => {
    expect(await support.get(`/v1/bottles?format=csv&${query}`)).toMatchObject({
      status: 400,
      body: { code },
    });
    expect(await support.get(`/v1/bottles?format=pdf`)).toMatchObject({ status: 400 });
  });

  it('closes the connection when it fails in the middle, so that nobody takes a part for the whole', async () => {
    await support.app.listen(0, '127.0.0.1');
    const { port } = support.app.getHttpServer().address() as { port: number };
    // the error comes when the first bytes have left: before, it would be answered as any other
    const lists = support.app.get(AlertListsRepository);
    const findPage = lists.findPage.bind(lists);
    let onHead = (): void => undefined;
    const head = new Promise<void>((resolve) => (onHead = resolve));
    const spy = jest.spyOn(lists, 'findPage').mockImplementation(async (page) => {
      if (!page.before) return findPage(page);
      await head;
      throw new Error('the database has failed');
    });
    const answer = await fetch(`http://127.0.0.1:${port}/v1/alerts?format=csv`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(answer.status).toBe(200);
    onHead();
    await expect(answer.text()).rejects.toThrow('terminated');
    spy.mockRestore();
  });
});
