import { migrateVerified } from '#persistence';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { type Answer, Support } from './support.js';

describe('If-Match', () => {
  let support: Support;
  let bottle: string;

  beforeAll(async () => {
    support = await Support.start('conditional');
    bottle = `/v1/bottles/${(await support.register()).id}`;
    await support.call('put', '/v1/contacts/will', { webhook: true });
  });
  afterAll(() => support?.stop());

  async function send(
    method: 'put' | 'patch' | 'post' | 'delete',
    path: string,
    ifMatch: string,
    body: object,
  ): Promise<Answer> {
    const request = supertest(support.app.getHttpServer())[method](path);
    return request.set('authorization', `Bearer ${ADMIN_TOKEN}`).set('if-match', ifMatch).send(body);
  }
  const versionAt = async (path: string): Promise<string> => (await support.get(path)).headers['etag']!;

  const SCHEDULE = { schedule: { kind: 'as_needed', max_per_day: 1 } };
  const PAUSE = { to: '2026-04-01T00:00:00Z' };
  it.each<['put' | 'patch' | 'post', string, string, object]>([
    ['put', '/v1/contacts/will', '/v1/contacts/will', { webhook: false }],
    ['patch', '', '', { medication: 'Inaprovaline' }],
    ['patch', '', '', { time_zone: 'UTC' }],
    ['put', '/schedule', '', SCHEDULE],
    ['post', '/pauses', '', PAUSE],
  ])('%s %s changes the version that it names, and no other', async (method, path, resource, body) => {
    const [target, source] = [path, resource].map((each) => (each.startsWith('/v1') ? each : bottle + each));
    const version = await versionAt(source!);
    expect((await send(method, target!, version, body)).status).toBeLessThan(300);
    const changed = await versionAt(source!);
    expect(changed).not.toBe(version);
    const before = await support.stored(['audit', 'medication_search_terms']);
    for (const stale of [version, '"0"', `"${'0'.repeat(24)}"`])
      expect(await send(method, target!, stale, body)).toMatchObject({
        status: 412,
        body: {
          title: 'Precondition failed',
          code: 'changed_meanwhile',
          detail: expect.stringMatching(/^It was changed since you loaded it, or the ETag/),
        },
      });
    expect(await send(method, target!, 'W/"1"', body)).toMatchObject({ status: 400 });
    expect(await support.stored(['audit', 'medication_search_terms'])).toBe(before);
    expect((await send(method, target!, `"${'0'.repeat(24)}", ${changed}`, body)).status).toBeLessThan(300);
    expect((await send(method, target!, '*', body)).status).toBeLessThan(300);
  });

  it('of two who change a contact at once, one gets 412', async () => {
    const version = await versionAt('/v1/contacts/will');
    const answers = await Promise.all(
      ['a@example.org', 'b@example.org'].map((email) => send('put', '/v1/contacts/will', version, { email })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
  });

  it('a contact that was deleted and made again is another version; * needs a contact', async () => {
    await support.call('put', '/v1/contacts/anna', { webhook: true });
    const version = await versionAt('/v1/contacts/anna');
    expect((await send('delete', '/v1/contacts/anna', '"0"', {})).status).toBe(412);
    expect((await send('delete', '/v1/contacts/anna', version, {})).status).toBe(204);
    expect(await send('put', '/v1/contacts/anna', '*', { webhook: true })).toMatchObject({
      status: 412,
      body: { detail: expect.stringMatching(/^There is none/) },
    });
    await support.call('put', '/v1/contacts/anna', { webhook: true });
    expect((await send('put', '/v1/contacts/anna', version, { webhook: true })).status).toBe(412);
  });

  it('of two who make the same contact at once, the second gets 412 and replaces nothing', async () => {
    const path = '/v1/contacts/twice';
    const make = (name: string, headers: Record<string, string> = { 'if-none-match': '*' }) =>
      supertest(support.app.getHttpServer())
        .put(path)
        .set('authorization', `Bearer ${ADMIN_TOKEN}`)
        .set(headers)
        .send({ name });
    const answers = await Promise.all(['Ann', 'Bea'].map((name) => make(name)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 412]));
    const made = answers.find(({ status }) => status === 201)!;
    expect(answers.find(({ status }) => status === 412)!.body).toMatchObject({
      title: 'Precondition failed',
      code: 'changed_meanwhile',
      detail: expect.stringMatching(/^There is one already/),
    });
    const stored = await support.get(path);
    expect(stored.body.name).toBe(made.body.name);
    expect(stored.headers['etag']).toBe(made.headers['etag']);
    expect((await make('Cleo')).status).toBe(412);
    const invalid: Record<string, string>[] = [
      { 'if-none-match': '"0"' },
      { 'if-none-match': '*', 'if-match': stored.headers['etag']! },
    ];
    for (const headers of invalid)
      expect(await make('Cleo', headers)).toMatchObject({
        status: 400,
        body: { code: 'invalid_precondition' },
      });
    expect((await send('put', path, made.headers['etag']!, { name: 'Dora' })).status).toBe(200);
  });

  it('a PUT answers 201 if it made the contact, and 200 if it replaced it', async () => {
    const put = () => support.call('put', '/v1/contacts/made-by-put', { webhook: true });
    expect((await put()).status).toBe(201);
    expect((await put()).status).toBe(200);
    await support.call('delete', '/v1/contacts/made-by-put');
    expect((await put()).status).toBe(201);
  });

  it('a document from before versions has version 0', async () => {
    await support.database.db
      .collection('contacts')
      .insertOne({ _id: 'old' as never, webhook: true, time_zone: 'UTC', changed_at: new Date(0) });
    expect(await versionAt('/v1/contacts/old')).toMatch(/^"0[.]/);
    expect((await send('put', '/v1/contacts/old', '"0"', { webhook: true })).status).toBe(200);
  });

  it('an address from before addresses were verified counts as verified, before it is migrated and after', async () => {
    const contacts = support.database.db.collection<{ _id: string; [field: string]: unknown }>('contacts');
    const email = 'early@example.org';
    const details = { email, time_zone: 'UTC', changed_at: new Date(0) };
    const verifiedAt = async (id: string) => {
      const { body } = await support.get(`/v1/contacts/${id}`);
      return [body.email_verified_at, body.carer?.email_verified_at];
    };
    await contacts.insertMany([
      { _id: 'early', ...details, carer: { email, time_zone: 'UTC' } },
      { _id: 'waits', ...details, email_verified_at: null },
      { _id: 'nowhere', webhook: true, time_zone: 'UTC', changed_at: new Date(0), carer: { webhook: true } },
    ]);
    const first = '1970-01-01T00:00:00.000Z';
    const expectVerified = async () => {
      expect(await verifiedAt('early')).toEqual([first, first]);
      expect(await verifiedAt('waits')).toEqual([undefined, undefined]);
      expect(await verifiedAt('nowhere')).toEqual([undefined, undefined]);
    };
    // a process of the version before may have written them after the migration
    await expectVerified();
    await migrateVerified(contacts as never);
    await expectVerified();
    expect(await contacts.findOne({ _id: 'early' })).toMatchObject({ email_verified_at: new Date(0) });
  });
});

describe('If-None-Match', () => {
  let support: Support;
  let bottle: string;
  let token: string;

  beforeAll(async () => {
    support = await Support.start('none-match');
    const registered = await support.register();
    bottle = `/v1/bottles/${registered.id}`;
    token = registered.token;
    await support.call('put', '/v1/contacts/will', { webhook: true });
  });
  afterAll(() => support?.stop());

  const get = (path: string, tag: string) =>
    supertest(support.app.getHttpServer())
      .get(path)
      .set('authorization', `Bearer ${ADMIN_TOKEN}`)
      .set('if-none-match', tag);

  it.each(['/v1/contacts/will', ''])('%s: a client that has it gets 304 without a body', async (name) => {
    const path = name || bottle;
    const { headers } = await support.get(path);
    for (const tag of [headers['etag']!, `W/${headers['etag']}`, `"else", ${headers['etag']}`, '*']) {
      const answer = await get(path, tag);
      expect([answer.status, answer.text]).toEqual([304, '']);
      expect(answer.headers['etag']).toBe(headers['etag']);
    }
    expect((await get(path, '"else"')).status).toBe(200);
  });

  it('a bottle that has reported since is sent, though nobody has changed it', async () => {
    const before = (await support.get(bottle)).headers['etag']!;
    support.clock.advance(60_000);
    expect((await support.report(token, 'heartbeats')).status).toBe(204);
    expect((await get(bottle, before)).status).toBe(200);
    const change = await supertest(support.app.getHttpServer())
      .patch(bottle)
      .set('authorization', `Bearer ${ADMIN_TOKEN}`)
      .set('if-match', before)
      .send({ medication: 'Inaprovaline' });
    expect(change.status).toBe(200);
  });
});
