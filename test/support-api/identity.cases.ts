import { HOUR_MS, MINUTE_MS } from '#domain';
import { StaffSessionsRepository } from '#persistence';
import { Types } from 'mongoose';
import { isIP } from 'node:net';
import supertest from 'supertest';
import { AuditLog } from '../../apps/support-api/src/auth/audit-log.js';
import { authenticatorCode } from '../../tools/harness/authenticator.js';
import { Browser, signedIn, staffMember } from './browser.js';
import { NOW, Support } from './support.js';

describe('identity', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('identity', { TRUSTED_PROXIES: '127.0.0.1, ::1, ::ffff:127.0.0.1' });
  });
  beforeEach(async () => {
    support.clock.set(NOW);
    await support.database.db.collection('sign_in_attempts').deleteMany({});
  });
  afterAll(() => support?.stop());

  const NOT_SIGNED_IN = { status: 401, body: { code: 'not_signed_in' } };

  describe('API keys', () => {
    it('are created and shown once, listed without the secret, and revoked at once', async () => {
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
        {
          id,
          name: 'night shift',
          role: 'support',
          created_at: NOW.toISOString(),
          owner: null,
          expires_at: '2027-03-01T12:00:00.000Z',
          last_used_at: NOW.toISOString(),
        },
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

    it('say when they were last used, to the hour, and expire', async () => {
      const expires_at = new Date(NOW.getTime() + 2 * HOUR_MS).toISOString();
      const { body } = await support.post('/v1/api-keys', { name: 'a', role: 'viewer', expires_at });
      const stored = () => support.database.db.collection('api_keys').findOne({ name: 'a' });
      expect(body).toMatchObject({ expires_at, last_used_at: null });
      for (const [minutes, usedAt] of [
        [0, 0],
        [59, 0],
        [60, 60],
        [119, 60],
      ] as const) {
        support.clock.set(new Date(NOW.getTime() + minutes * 60_000));
        expect((await support.get('/v1/fleet', body.key)).status).toBe(200);
        expect((await stored())!['last_used_at']).toEqual(new Date(NOW.getTime() + usedAt * 60_000));
      }
      support.clock.set(new Date(expires_at));
      expect(await support.get('/v1/fleet', body.key)).toMatchObject({
        status: 401,
        body: { code: 'token_expired' },
      });
      for (const wrong of [NOW.toISOString(), '2029-03-01T00:00:00Z'])
        expect(
          await support.post('/v1/api-keys', { name: 'b', role: 'viewer', expires_at: wrong }),
        ).toMatchObject({ status: 400, body: { code: 'out_of_range', field: 'expires_at' } });
    });

    it("end with their owner's account, and may not do more than the owner", async () => {
      const { id, email, password } = await staffMember(support, 'admin', { name: 'Olga Owner' });
      const browser = new Browser(support);
      await browser.signIn(email, password);
      const made = await browser.call('post', '/v1/api-keys', { name: 'hers', role: 'admin' });
      expect(made.body.owner).toEqual({ id, name: 'Olga Owner' });
      const statusOf = async (path: string) => (await support.get(path, made.body.key)).status;
      expect(await statusOf('/v1/staff')).toBe(200);
      await support.call('patch', `/v1/staff/${id}`, { role: 'viewer' });
      expect([await statusOf('/v1/staff'), await statusOf('/v1/fleet')]).toEqual([403, 200]);
      await support.call('patch', `/v1/staff/${id}`, { disabled: true });
      expect(await support.get('/v1/fleet', made.body.key)).toMatchObject({
        status: 401,
        body: { code: 'token_ended' },
      });
      for (const owner_id of [id, '0'.repeat(24)])
        expect(await support.post('/v1/api-keys', { name: 'c', role: 'viewer', owner_id })).toMatchObject({
          status: 400,
          body: { code: 'unknown_owner', field: 'owner_id' },
        });
    });

    it.each(['notifier', 'Notifier', 'ADMIN_TOKEN', ' ', '<b>', 'a\nb'])(
      'must not have the name %j',
      async (name) => {
        const answer = await support.post('/v1/api-keys', { name, role: 'viewer' });
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_value', field: 'name' } });
      },
    );
  });

  describe('signing in', () => {
    it('sets a cookie that scripts cannot read and other sites cannot send', async () => {
      const { id, email, password } = await staffMember(support, 'support');
      const browser = new Browser(support);
      const answer = await browser.signIn(`  ${email.toUpperCase()} `, password);
      const session = {
        staff: { id, email, name: 'A support', role: 'support' },
        expires_at: new Date(NOW.getTime() + 12 * HOUR_MS).toISOString(),
        idle_timeout_s: 13 * 3600,
        csrf_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      };
      expect(answer).toMatchObject({ status: 200, body: session });
      expect(browser.cookie).toMatch(/^pillwatch_session=pws_[\w-]{43}$/);
      expect(browser.attributes).toBe('Path=/; HttpOnly; SameSite=Strict; Max-Age=43200');
      expect((await browser.call('get', '/v1/session')).body).toEqual(answer.body);
      const stored = await support.stored();
      for (const secret of [browser.cookie!.split('=')[1]!, password, browser.csrf!])
        expect(stored).not.toContain(secret);
    });

    it('ends when the person signs out', async () => {
      const browser = await signedIn(support, 'viewer');
      const { cookie } = browser;
      expect((await browser.call('delete', '/v1/session')).status).toBe(204);
      expect(browser.cookie).toBeUndefined();
      browser.cookie = cookie;
      expect(await browser.call('get', '/v1/session')).toMatchObject(NOT_SIGNED_IN);
    });

    it('ends after twelve hours', async () => {
      const browser = await signedIn(support, 'viewer');
      support.clock.advance(12 * HOUR_MS - 1);
      expect((await browser.call('get', '/v1/fleet')).status).toBe(200);
      support.clock.advance(1);
      expect(await browser.call('get', '/v1/fleet')).toMatchObject(NOT_SIGNED_IN);
      await signedIn(support, 'viewer');
      const { db } = support.database;
      expect(
        await db.collection('staff_sessions').countDocuments({ expires_at: { $lte: support.clock.now() } }),
      ).toBe(0);
    });

    it('are listed, and all others are ended with the password', async () => {
      const { id, email, password } = await staffMember(support, 'viewer');
      const [there, here] = [new Browser(support), new Browser(support)];
      await there.signIn(email, password, '10.1.1.1');
      support.clock.advance(1_000);
      await here.signIn(email, password, '10.1.1.2');
      await signedIn(support, 'viewer');
      const item = { id: expect.stringMatching(/^[0-9a-f]{24}$/), created_at: expect.any(String) };
      expect((await here.call('get', '/v1/session/all')).body.items).toEqual([
        { ...item, address: '10.1.1.2', current: true },
        { ...item, address: '10.1.1.1', current: false },
      ]);
      const end = (typed: string) => here.call('post', '/v1/session/end-others', { password: typed });
      expect(await end('a wrong one')).toMatchObject({
        status: 400,
        body: { code: 'wrong_password', field: 'password' },
      });
      expect((await there.call('get', '/v1/session')).status).toBe(200);
      expect((await end(password)).status).toBe(204);
      expect(await there.call('get', '/v1/session')).toMatchObject(NOT_SIGNED_IN);
      expect((await here.call('get', '/v1/session/all')).body.items).toHaveLength(1);
      const { items } = (await support.get(`/v1/audit?category=change&subject=staff:${id}`)).body;
      expect(items[0]).toMatchObject({ action: 'session.end_others', who: { id } });
    });

    it('keeps the ten newest sessions of a person', async () => {
      const { email, password } = await staffMember(support, 'viewer');
      const browsers = Array.from({ length: 11 }, () => new Browser(support));
      for (const browser of browsers) {
        support.clock.advance(1_000);
        expect((await browser.signIn(email, password)).status).toBe(200);
      }
      const statuses = await Promise.all(
        browsers.map(async (browser) => (await browser.call('get', '/v1/session')).status),
      );
      expect(statuses).toEqual([401, ...Array.from({ length: 10 }, () => 200)]);
    });

    it('allows as much as a key of the same role', async () => {
      const [viewer, staff, admin] = [
        await signedIn(support, 'viewer'),
        await signedIn(support, 'support'),
        await signedIn(support, 'admin'),
      ];
      const bottle = { user_id: 'will', medication: 'Cordrazine', time_zone: 'UTC' };
      const refused = { status: 403, body: { code: 'role_insufficient' } };
      expect((await viewer.call('get', '/v1/bottles')).status).toBe(200);
      expect(await viewer.call('post', '/v1/bottles', bottle)).toMatchObject(refused);
      expect((await staff.call('post', '/v1/bottles', bottle)).status).toBe(201);
      expect(await staff.call('get', '/v1/staff')).toMatchObject(refused);
      expect((await admin.call('get', '/v1/staff')).status).toBe(200);
    });

    it('does not exist for API keys', async () => {
      const key = await support.keyOf('admin');
      const none = { status: 404, body: { code: 'session_not_found' } };
      expect(await support.get('/v1/session', key)).toMatchObject(none);
      expect(await support.call('delete', '/v1/session', undefined, key)).toMatchObject(none);
    });

    it.each(['', 'pillwatch_session=', 'pillwatch_session=pws_x', 'other=1'])(
      'does not take the cookie %j for any',
      async (cookie) => {
        const browser = new Browser(support);
        browser.cookie = cookie;
        expect(await browser.call('get', '/v1/session')).toMatchObject({
          status: 401,
          body: { code: 'token_missing' },
        });
        browser.cookie = `pillwatch_session=pws_${'A'.repeat(43)}`;
        expect(await browser.call('get', '/v1/session')).toMatchObject(NOT_SIGNED_IN);
      },
    );
  });

  describe('a cross-site request', () => {
    it.each([null, 'x', '0'.repeat(64)])('is refused with the token %j', async (csrf) => {
      const browser = await signedIn(support, 'admin');
      const before = await support.stored();
      for (const [method, path, body] of [
        ['post', '/v1/bottles', { user_id: 'will', medication: 'Cordrazine', time_zone: 'UTC' }],
        ['delete', '/v1/session', undefined],
        ['put', '/v1/contacts/will', {}],
      ] as const) {
        expect(await browser.call(method, path, body, csrf)).toMatchObject({
          status: 403,
          body: { code: 'csrf' },
        });
      }
      expect(await support.stored()).toBe(before);
    });

    it("is refused with another session's token", async () => {
      const [one, other] = [await signedIn(support, 'admin'), await signedIn(support, 'admin')];
      expect(await one.call('delete', '/v1/session', undefined, other.csrf)).toMatchObject({ status: 403 });
    });
  });

  describe('password guessing', () => {
    const WRONG = { status: 401, body: { code: 'wrong_credentials' } };
    const LOCKED = { status: 429, body: { code: 'locked_out' }, headers: { 'retry-after': '900' } };

    it('gets the same response whether the account exists or not', async () => {
      const { email } = await staffMember(support, 'viewer');
      const disabled = await staffMember(support, 'viewer');
      await support.call('patch', `/v1/staff/${disabled.id}`, { disabled: true });
      const [known, unknown, off] = [
        await new Browser(support).signIn(email, 'wrong password'),
        await new Browser(support).signIn('nobody@example.org', 'wrong password'),
        await new Browser(support).signIn(disabled.email, disabled.password),
      ];
      expect(known).toMatchObject(WRONG);
      const same = { ...known.body, instance: expect.any(String) };
      expect(unknown.body).toEqual(same);
      expect(off.body).toEqual(same);
    });

    const attempts = () => support.database.db.collection<{ _id: string }>('sign_in_attempts');

    it.each(['known', 'unknown'])(
      'locks an account that is %s for 15 minutes, at that address',
      async (which) => {
        const { email, password } =
          which === 'known'
            ? await staffMember(support, 'viewer')
            : { email: 'nobody@example.org', password: 'x' };
        for (let guess = 0; guess < 10; guess += 1) {
          expect(await new Browser(support).signIn(email, `guess ${guess}`, '10.0.1.1')).toMatchObject(WRONG);
        }
        expect(await new Browser(support).signIn(email, password, '10.0.1.1')).toMatchObject(LOCKED);
        support.clock.advance(15 * 60_000 - 1);
        expect(await new Browser(support).signIn(email, password, '10.0.1.1')).toMatchObject({ status: 429 });
        support.clock.advance(1);
        const answer = await new Browser(support).signIn(email, password, '10.0.1.1');
        expect(answer.status).toBe(which === 'known' ? 200 : 401);
      },
    );

    it('locks nobody out elsewhere', async () => {
      const { email, password } = await staffMember(support, 'viewer');
      for (let guess = 0; guess < 10; guess += 1)
        expect(await new Browser(support).signIn(email, `guess ${guess}`, '10.0.2.1')).toMatchObject(WRONG);
      expect(await new Browser(support).signIn(email, password, '10.0.2.1')).toMatchObject(LOCKED);
      expect((await new Browser(support).signIn(email, password, '10.0.2.2')).status).toBe(200);
    });

    it('is slowed down from many addresses, but not where the person has signed in', async () => {
      const { email, password } = await staffMember(support, 'viewer');
      const signIn = (address: string, typed = password) =>
        new Browser(support).signIn(email, typed, address);
      expect((await signIn('10.0.3.1')).status).toBe(200);
      for (let guess = 0; guess < 5; guess += 1)
        expect(await signIn(`10.0.4.${guess}`, 'x')).toMatchObject(WRONG);
      await attempts().updateOne({ _id: /^email:[0-9a-f]+$/ }, { $set: { count: 52 } });
      const slow = { status: 429, body: { code: 'locked_out' }, headers: { 'retry-after': '4' } };
      expect(await signIn('10.0.5.1', 'x')).toMatchObject(slow);
      expect((await signIn('10.0.3.1')).status).toBe(200);
      support.clock.advance(4_000);
      const tries = await Promise.all(
        Array.from({ length: 5 }, (_, guess) => signIn(`10.0.6.${guess}`, 'x')),
      );
      expect(tries.filter(({ status }) => status === 401)).toHaveLength(1);
      expect(await signIn('10.0.7.1')).toMatchObject({ status: 429 });
      support.clock.advance(8_000);
      expect((await signIn('10.0.7.1')).status).toBe(200);
    });

    it('is not faster with concurrent attempts', async () => {
      const { email } = await staffMember(support, 'viewer');
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, guess) => new Browser(support).signIn(email, `guess ${guess}`)),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    });

    it('records no address that a client has made up', async () => {
      const browser = new Browser(support);
      for (const made of ['<script>', '<script>, 198.51.100.7', 'x, 198.51.100.7:4711'])
        await browser.signIn('nobody@example.org', 'a wrong password', made);
      await support.app.get(AuditLog).finish();
      const addresses = await support.database.db.collection('audit').distinct('who.address');
      expect(addresses).toContain('198.51.100.7');
      for (const address of addresses) expect(isIP(address as string)).not.toBe(0);
    });

    it('locks an address that tries many accounts, and no other', async () => {
      const guess = (number: number) =>
        new Browser(support).signIn(`user${number}@example.org`, 'x', '10.9.9.9');
      expect(await guess(1)).toMatchObject(WRONG);
      await attempts().updateOne({ _id: 'address:10.9.9.9' }, { $set: { count: 99 } });
      expect(await guess(100)).toMatchObject(WRONG);
      expect(await guess(101)).toMatchObject(LOCKED);
      const { email, password } = await staffMember(support, 'viewer');
      expect(await new Browser(support).signIn(email, password, '10.9.9.9')).toMatchObject(LOCKED);
      expect((await new Browser(support).signIn(email, password, '10.9.9.8')).status).toBe(200);
    });

    it('stores nothing while the address is limited', async () => {
      const guess = () => new Browser(support).signIn(`${Math.random()}@example.org`, 'x', '2001:db8::1');
      expect(await guess()).toMatchObject(WRONG);
      const _id = 'address:2001:db8:0:0::/64';
      expect(await attempts().updateOne({ _id }, { $set: { count: 100 } })).toMatchObject({
        matchedCount: 1,
      });
      const before = await support.stored();
      for (let time = 0; time < 5; time += 1) expect(await guess()).toMatchObject(LOCKED);
      expect(await support.stored()).toBe(before);
    });

    it('does not count a successful sign-in', async () => {
      const { email, password } = await staffMember(support, 'viewer');
      for (let time = 0; time < 12; time += 1) {
        expect((await new Browser(support).signIn(email, password)).status).toBe(200);
      }
      expect(await attempts().find().toArray()).toMatchObject([{ count: 0 }, { count: 0 }]);
    });

    it('stores nothing that was typed', async () => {
      await new Browser(support).signIn('my-secret-password', 'x');
      expect(await support.stored()).not.toContain('my-secret-password');
    });
  });

  describe("one's own password", () => {
    it('is changed with the current one; other sessions end', async () => {
      const { email, password } = await staffMember(support, 'viewer');
      const [here, there] = [new Browser(support), new Browser(support)];
      await here.signIn(email, password);
      await there.signIn(email, password);
      const change = (current: string, next: string) =>
        here.call('post', '/v1/session/password', { current, next });
      expect(await change('not it', 'correct horse battery')).toMatchObject({
        status: 400,
        body: { code: 'wrong_password', field: 'current' },
      });
      expect(await change(password, 'short')).toMatchObject({
        status: 400,
        body: { code: 'weak_password', field: 'next' },
      });
      expect((await change(password, 'correct horse battery')).status).toBe(204);
      expect((await here.call('get', '/v1/session')).status).toBe(200);
      expect(await there.call('get', '/v1/session')).toMatchObject(NOT_SIGNED_IN);
      expect((await new Browser(support).signIn(email, password)).status).toBe(401);
      expect((await new Browser(support).signIn(email, 'correct horse battery')).status).toBe(200);
    });

    it('leaves no session of the old one, also if somebody signs in at that moment', async () => {
      const { id, email, password } = await staffMember(support, 'viewer');
      const sessions = support.app.get(StaffSessionsRepository);
      const insert = sessions.insert.bind(sessions);
      // the password was checked; before the session is stored, an admin resets it
      sessions.insert = async (session) => {
        sessions.insert = insert;
        await support.call('patch', `/v1/staff/${id}`, { password: 'correct horse battery' });
        await insert(session);
      };
      expect(await new Browser(support).signIn(email, password)).toMatchObject({
        status: 401,
        body: { code: 'wrong_credentials' },
      });
      const staff_id = new Types.ObjectId(id);
      expect(await support.database.db.collection('staff_sessions').countDocuments({ staff_id })).toBe(0);
    });

    it('cannot be guessed with a stolen session', async () => {
      const browser = await signedIn(support, 'viewer');
      const guess = () =>
        browser.call('post', '/v1/session/password', { current: 'x', next: 'correct horse battery' });
      for (let time = 0; time < 10; time += 1) expect((await guess()).status).toBe(400);
      expect((await guess()).status).toBe(429);
    });
  });

  describe('saved views', () => {
    const view = { name: 'Silent longest', status: 'silent', sort: 'last_seen', columns: ['last_seen'] };

    it('belong to the account: saved, replaced by name, deleted', async () => {
      const { email, password } = await staffMember(support, 'viewer');
      const [here, there] = [new Browser(support), new Browser(support)];
      await here.signIn(email, password);
      await there.signIn(email, password);
      const other = { name: '$name', medication: '$$ROOT', columns: [] };
      expect(await here.call('put', '/v1/session/views', view)).toMatchObject({
        status: 200,
        body: { items: [view] },
      });
      expect((await there.call('put', '/v1/session/views', other)).body.items).toEqual([view, other]);
      const changed = { ...view, columns: ['battery', 'status'] };
      await here.call('put', '/v1/session/views', changed);
      expect((await there.call('get', '/v1/session/views')).body.items).toEqual([other, changed]);
      const deletion = () => here.call('delete', '/v1/session/views?name=%24name');
      expect((await deletion()).status).toBe(204);
      expect(await deletion()).toMatchObject({ status: 404, body: { code: 'view_not_found' } });
      expect((await there.call('get', '/v1/session/views')).body.items).toEqual([changed]);
      const stranger = await signedIn(support, 'viewer');
      expect((await stranger.call('get', '/v1/session/views')).body.items).toEqual([]);
    });

    it.each([
      [{ ...view, columns: ['token'] }, 'columns'],
      [{ ...view, columns: ['status', 'status'] }, 'columns'],
      [{ ...view, columns: 'status' }, 'columns'],
      [{ ...view, name: ' a' }, 'name'],
      [{ ...view, sort: 'pills' }, 'sort'],
      [{ ...view, user_id: 'anna' }, 'user_id'],
      [{ name: 'a' }, 'columns'],
    ])('are refused: %j', async (body, field) => {
      const browser = await signedIn(support, 'viewer');
      expect(await browser.call('put', '/v1/session/views', body)).toMatchObject({
        status: 400,
        body: { errors: [{ field }] },
      });
      expect((await browser.call('get', '/v1/session/views')).body.items).toEqual([]);
    });

    it('are twenty at most, also when many are saved at once', async () => {
      const browser = await signedIn(support, 'viewer');
      const answers = await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          browser.call('put', '/v1/session/views', { name: `view ${n}`, columns: [] }),
        ),
      );
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
      const { items } = (await browser.call('get', '/v1/session/views')).body;
      expect(items).toHaveLength(20);
      // one of them can still be changed
      expect((await browser.call('put', '/v1/session/views', { ...items[3], sort: 'user_id' })).status).toBe(
        200,
      );
    });

    it('are not of an API key', async () => {
      const key = await support.keyOf('viewer');
      expect((await support.get('/v1/session/views', key)).status).toBe(404);
    });
  });

  it('no browser shows messages to staff without PUSH_KEY', async () => {
    const browser = await signedIn(support, 'viewer');
    const path = '/v1/session/browsers';
    expect((await browser.call('get', path)).body).toEqual({ push_key: null, items: [] });
    const body = { endpoint: 'https://push.example.net/1', p256dh: 'x', auth: 'x' };
    expect(await browser.call('put', path, body)).toMatchObject({
      status: 409,
      body: { code: 'no_push_key' },
    });
    expect((await browser.call('delete', `${path}?id=x`)).status).toBe(404);
  });

  describe('staff', () => {
    it('are created with a password that is shown once, and listed', async () => {
      const answer = await support.post('/v1/staff', {
        email: 'Dora@Example.org',
        role: 'viewer',
        name: 'Dora ⟨MD⟩',
      });
      expect(answer).toMatchObject({
        status: 201,
        body: { email: 'dora@example.org', role: 'viewer', name: 'Dora ⟨MD⟩', disabled: false },
      });
      const { password, ...shown } = answer.body;
      expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
      expect((await support.get('/v1/staff')).body.items).toContainEqual(shown);
      expect(await support.stored()).not.toContain(password);
      expect(await support.post('/v1/staff', { email: 'dora@example.org', role: 'admin' })).toMatchObject({
        status: 409,
        body: { code: 'email_taken', field: 'email' },
      });
    });

    it.each([
      [{ role: 'viewer' }, 'missing_field', 'email'],
      [{ email: 'dora', role: 'viewer' }, 'invalid_type', 'email'],
      [{ email: { $gt: '' }, role: 'viewer' }, 'invalid_type', 'email'],
      [{ email: 'e@example.org', role: 'boss' }, 'invalid_value', 'role'],
      [{ email: 'e@example.org', role: 'viewer', name: 'notifier' }, 'invalid_value', 'name'],
      [{ email: 'e@example.org', role: 'viewer', name: 'a\u0000b' }, 'invalid_value', 'name'],
      [{ email: 'e@example.org', role: 'viewer', password: 'short' }, 'weak_password', 'password'],
      [{ email: 'e@example.org', role: 'viewer', password_hash: 'x' }, 'unknown_field', 'password_hash'],
    ])('%j are refused', async (body, code, field) => {
      const before = await support.stored();
      expect(await support.post('/v1/staff', body)).toMatchObject({ status: 400, body: { code, field } });
      expect(await support.stored()).toBe(before);
    });

    it('have a new role from the next request on', async () => {
      const { id, email, password } = await staffMember(support, 'viewer');
      const browser = new Browser(support);
      await browser.signIn(email, password);
      expect((await browser.call('get', '/v1/staff')).status).toBe(403);
      expect(await support.call('patch', `/v1/staff/${id}`, { role: 'admin', name: 'Boss' })).toMatchObject({
        status: 200,
        body: { role: 'admin', name: 'Boss', disabled: false },
      });
      expect((await browser.call('get', '/v1/staff')).status).toBe(200);
    });

    it('are signed out at once when disabled, and can be enabled again', async () => {
      const { id, email, password } = await staffMember(support, 'viewer');
      const browser = new Browser(support);
      await browser.signIn(email, password);
      expect((await support.call('patch', `/v1/staff/${id}`, { disabled: true })).body.disabled).toBe(true);
      expect(await browser.call('get', '/v1/fleet')).toMatchObject(NOT_SIGNED_IN);
      expect((await browser.signIn(email, password)).status).toBe(401);
      expect((await support.call('patch', `/v1/staff/${id}`, { disabled: false })).body.disabled).toBe(false);
      expect((await browser.signIn(email, password)).status).toBe(200);
    });

    it('get a new password, which ends a lock-out and every session', async () => {
      const { id, email, password } = await staffMember(support, 'viewer');
      const browser = new Browser(support);
      await browser.signIn(email, password);
      for (let guess = 0; guess < 11; guess += 1) await new Browser(support).signIn(email, 'x');
      expect(
        (await support.call('patch', `/v1/staff/${id}`, { password: 'correct horse battery' })).status,
      ).toBe(200);
      expect(await browser.call('get', '/v1/session')).toMatchObject(NOT_SIGNED_IN);
      expect((await browser.signIn(email, 'correct horse battery')).status).toBe(200);
    });

    it('cannot disable or demote themselves, nor change their password without the current one', async () => {
      const { id, email, password } = await staffMember(support, 'admin');
      const browser = new Browser(support);
      await browser.signIn(email, password);
      for (const change of [{ disabled: true }, { role: 'viewer' }, { password: 'correct horse battery' }]) {
        expect(await browser.call('patch', `/v1/staff/${id}`, change)).toMatchObject({
          status: 409,
          body: { code: 'own_account' },
        });
      }
      expect((await browser.call('patch', `/v1/staff/${id}`, { name: 'Me', role: 'admin' })).status).toBe(
        200,
      );
      expect((await browser.call('get', '/v1/session')).body.staff.name).toBe('Me');
      expect((await new Browser(support).signIn(email, password)).status).toBe(200);
    });

    it('return 404 for an unknown id, and 400 for an empty change', async () => {
      expect(await support.call('patch', `/v1/staff/${'0'.repeat(24)}`, { role: 'viewer' })).toMatchObject({
        status: 404,
        body: { code: 'staff_not_found' },
      });
      const { id } = await staffMember(support, 'viewer');
      expect(await support.call('patch', `/v1/staff/${id}`, {})).toMatchObject({
        status: 400,
        body: { code: 'nothing_to_change' },
      });
    });
  });

  describe('with the settings of production', () => {
    let strict: Support;

    beforeAll(async () => {
      strict = await Support.start('identity-strict', {
        PUBLIC_URL: 'https://pills.example.org',
        KEEP_ADMIN_TOKEN: 'false',
        SECOND_FACTOR: 'admin',
        SESSION_IDLE_TIMEOUT: '15m',
        SECOND_FACTOR_KEY: 'a-key-for-tests-0123456789-0123456789',
      });
    });
    beforeEach(async () => {
      strict.clock.set(NOW);
      await strict.database.db.collection('staff').deleteMany({});
      await strict.database.db.collection('sign_in_attempts').deleteMany({});
    });
    afterAll(() => strict?.stop());

    it('the cookie is sent over TLS only, and no other host can set it', async () => {
      const browser = await signedIn(strict, 'viewer');
      expect(browser.cookie).toMatch(/^__Host-pillwatch_session=pws_/);
      expect(browser.attributes).toBe('Path=/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure');
      browser.cookie = browser.cookie!.replace('__Host-', '');
      expect(await browser.call('get', '/v1/session')).toMatchObject({ status: 401 });
    });

    it('a session ends 15 minutes after the last activity, not after the last request of its page', async () => {
      const { body } = await (await signedIn(strict, 'viewer')).call('get', '/v1/session');
      expect(body.idle_timeout_s).toBe(900);
      const active = await signedIn(strict, 'viewer');
      const get = (browser: Browser, headers: Record<string, string> = {}) =>
        supertest(strict.app.getHttpServer()).get('/v1/session').set('cookie', browser.cookie!).set(headers);
      for (let time = 0; time < 3; time += 1) {
        strict.clock.advance(14 * MINUTE_MS);
        expect((await get(active)).status).toBe(200);
      }
      strict.clock.advance(15 * MINUTE_MS);
      expect((await get(active)).status).toBe(401);
      const [read, streaming] = [await signedIn(strict, 'viewer'), await signedIn(strict, 'viewer')];
      strict.clock.advance(14 * MINUTE_MS);
      // the page loads data by itself, and says since when nobody has used it
      expect((await get(read, { 'x-idle': String(14 * 60) })).status).toBe(200);
      expect((await get(streaming, { accept: 'text/event-stream' })).status).toBe(200);
      strict.clock.advance(MINUTE_MS);
      expect((await get(read)).status).toBe(401);
      expect((await get(streaming)).status).toBe(401);
    });

    it('ADMIN_TOKEN ends when an admin has an account, and works again when none may sign in', async () => {
      await staffMember(strict, 'support');
      expect((await strict.get('/v1/staff')).status).toBe(200);
      const { id } = await staffMember(strict, 'admin');
      for (const path of ['/v1/staff', '/v1/fleet']) {
        expect(await strict.get(path)).toMatchObject({ status: 401, body: { code: 'admin_token_ended' } });
      }
      const staff = strict.database.db.collection('staff');
      await staff.updateOne({ _id: new Types.ObjectId(id) }, { $set: { disabled: true } });
      expect((await strict.get('/v1/staff')).status).toBe(200);
    });

    it('a password that an admin has given must be changed first', async () => {
      const given = 'correct horse battery';
      const { body: made } = await strict.post('/v1/staff', {
        email: 'dora@example.org',
        role: 'viewer',
        password: given,
      });
      expect(made).toMatchObject({ must_change_password: true });
      const browser = new Browser(strict);
      expect((await browser.signIn('dora@example.org', given)).body).toMatchObject({
        required: ['password_change'],
      });
      const first = { status: 403, body: { code: 'password_change_required' } };
      expect(await browser.call('get', '/v1/fleet')).toMatchObject(first);
      const change = (next: string) => browser.call('post', '/v1/session/password', { current: given, next });
      expect(await change(given)).toMatchObject({
        status: 400,
        body: { code: 'weak_password', field: 'next' },
      });
      expect((await change('another horse, my own')).status).toBe(204);
      expect((await browser.call('get', '/v1/session')).body.required).toEqual([]);
      expect((await browser.call('get', '/v1/fleet')).status).toBe(200);
      await strict.call('patch', `/v1/staff/${made.id}`, { password: 'and one more from the admin' });
      const answer = await browser.signIn('dora@example.org', 'and one more from the admin');
      expect(answer.body.required).toEqual(['password_change']);
    });

    it('a password that an admin has given ends after seven days, and with the only admin ADMIN_TOKEN is back', async () => {
      const DAYS = 24 * HOUR_MS;
      const given = 'correct horse battery';
      const { body: made } = await strict.post('/v1/staff', {
        email: 'dora@example.org',
        role: 'admin',
        password: given,
      });
      const signIn = (password: string) => new Browser(strict).signIn('dora@example.org', password);
      strict.clock.advance(7 * DAYS - 1);
      expect((await signIn(given)).status).toBe(200);
      expect((await strict.get('/v1/staff')).status).toBe(401);
      strict.clock.advance(1);
      expect(await signIn('a wrong one')).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
      expect(await signIn(given)).toMatchObject({ status: 401, body: { code: 'password_expired' } });
      const reset = await strict.call('patch', `/v1/staff/${made.id}`, {
        password: 'another horse entirely',
      });
      expect(reset.status).toBe(200);
      const browser = new Browser(strict);
      expect((await browser.signIn('dora@example.org', 'another horse entirely')).status).toBe(200);
      const next = 'and now a horse of my own';
      const change = { current: 'another horse entirely', next };
      expect((await browser.call('post', '/v1/session/password', change)).status).toBe(204);
      strict.clock.advance(30 * DAYS);
      expect((await signIn(next)).status).toBe(200);
    });

    describe('a second factor', () => {
      const WRONG_CODE = { status: 401, body: { code: 'wrong_code' } };
      const STEP = 30_000;

      /** What an authenticator app shows. */
      const codeOf = (uri: string): string =>
        authenticatorCode(new URL(uri).searchParams.get('secret')!, strict.clock.now());

      /** Someone who has just set up an authenticator app. */
      async function enrolled(role: string) {
        const member = await staffMember(strict, role);
        const browser = new Browser(strict);
        await browser.signIn(member.email, member.password);
        const { password } = member;
        const begun = await browser.call('post', '/v1/session/second-factor', { password });
        expect(begun).toMatchObject({
          status: 200,
          body: { secret: expect.stringMatching(/^[A-Z2-7]{32}$/) },
        });
        const uri = begun.body.uri as string;
        const confirmed = await browser.call('put', '/v1/session/second-factor', { code: codeOf(uri) });
        expect(confirmed.status).toBe(200);
        const signIn = (code?: string) => new Browser(strict).signIn(member.email, password, undefined, code);
        return { ...member, browser, uri, signIn, recovery: confirmed.body.recovery_codes as string[] };
      }

      it('is required of an admin before anything else', async () => {
        const { email, password } = await staffMember(strict, 'admin');
        const browser = new Browser(strict);
        expect((await browser.signIn(email, password)).body).toMatchObject({
          required: ['second_factor'],
          second_factor: 'not_set_up',
        });
        expect(await browser.call('get', '/v1/staff')).toMatchObject({
          status: 403,
          body: { code: 'second_factor_required' },
        });
        const put = (code: string) => browser.call('put', '/v1/session/second-factor', { code });
        expect(await put('123456')).toMatchObject({ status: 409, body: { code: 'second_factor_not_begun' } });
        expect(await browser.call('post', '/v1/session/second-factor', { password: 'x' })).toMatchObject({
          status: 400,
          body: { code: 'wrong_password', field: 'password' },
        });
        const { body } = await browser.call('post', '/v1/session/second-factor', { password });
        const right = codeOf(body.uri);
        expect(await put(right === '123456' ? '654321' : '123456')).toMatchObject({
          status: 400,
          body: { code: 'wrong_code', field: 'code' },
        });
        expect((await put(right)).body.recovery_codes).toHaveLength(10);
        expect((await browser.call('get', '/v1/staff')).status).toBe(200);
      });

      it('is asked for after the right password only, and a code is accepted once', async () => {
        const { uri, email, signIn } = await enrolled('viewer');
        expect(await signIn()).toMatchObject({ status: 401, body: { code: 'second_factor_needed' } });
        const wrong = await new Browser(strict).signIn(email, 'x', undefined, codeOf(uri));
        expect(wrong).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } });
        // the code that confirmed it was used
        expect(await signIn(codeOf(uri))).toMatchObject(WRONG_CODE);
        strict.clock.advance(STEP);
        const code = codeOf(uri);
        const answers = await Promise.all([signIn(code), signIn(code), signIn(code)]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await signIn(code)).toMatchObject(WRONG_CODE);
        expect(await signIn('000000')).toMatchObject(WRONG_CODE);
      });

      it('cannot be guessed', async () => {
        const { signIn } = await enrolled('viewer');
        // sign-ins without a code in between do not reset the count
        for (let guess = 0; guess < 10; guess += 1) {
          expect(await signIn(`x${guess}`)).toMatchObject(WRONG_CODE);
          if (guess < 9) expect((await signIn()).status).toBe(401);
        }
        expect(await signIn('123456')).toMatchObject({ status: 429 });
      });

      it('is replaced by a recovery code once; secrets and codes are not readable in the database', async () => {
        const { uri, signIn, recovery, id } = await enrolled('viewer');
        const code = recovery[0]!;
        expect((await signIn(` ${code.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200);
        expect(await signIn(code)).toMatchObject(WRONG_CODE);
        expect((await signIn(recovery[1])).status).toBe(200);
        const stored = await strict.stored();
        for (const secret of [...recovery, new URL(uri).searchParams.get('secret')!])
          expect(stored).not.toContain(secret);
        const entries = await strict.get(`/v1/audit?subject=staff:${id}`);
        expect(entries.body.items.map(({ action }: { action: string }) => action)).toContain(
          'session.set_second_factor',
        );
      });

      it('ends other sessions, and is replaced only with a code of the old one', async () => {
        const { browser, uri, email, password, signIn } = await enrolled('viewer');
        const begin = (code?: string) =>
          browser.call('post', '/v1/session/second-factor', { password, code });
        expect(await begin()).toMatchObject({ status: 400, body: { code: 'wrong_code', field: 'code' } });
        strict.clock.advance(STEP);
        const other = new Browser(strict);
        expect((await other.signIn(email, password, undefined, codeOf(uri))).status).toBe(200);
        expect((await other.call('get', '/v1/session')).status).toBe(200);
        strict.clock.advance(STEP);
        const { body } = await begin(codeOf(uri));
        expect(
          (await browser.call('put', '/v1/session/second-factor', { code: codeOf(body.uri) })).status,
        ).toBe(200);
        expect((await other.call('get', '/v1/session')).status).toBe(401);
        strict.clock.advance(STEP);
        expect(await signIn(codeOf(uri))).toMatchObject(WRONG_CODE);
        expect((await signIn(codeOf(body.uri))).status).toBe(200);
      });

      it('is reset by another admin, which ends the sessions', async () => {
        const { id, browser, signIn } = await enrolled('viewer');
        const admin = await enrolled('admin');
        const reset = (whose: string) => admin.browser.call('delete', `/v1/staff/${whose}/second-factor`);
        expect(await reset(admin.id)).toMatchObject({ status: 409, body: { code: 'own_account' } });
        expect((await reset(id)).status).toBe(204);
        expect((await browser.call('get', '/v1/session')).status).toBe(401);
        expect((await signIn()).body).toMatchObject({ required: [], second_factor: 'not_set_up' });
        const { body } = await admin.browser.call('get', '/v1/staff');
        expect(body.items).toMatchObject([{ second_factor: false }, { second_factor: true }]);
      });
    });
  });
});
