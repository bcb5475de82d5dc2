import { MINUTE_MS } from '#domain';
import { authenticatorCode } from '../../tools/harness/authenticator.js';
import { Browser, staffMember } from '../support-api/browser.js';
import { Support } from '../support-api/support.js';

const ID = '0'.repeat(24);

/** Somebody has the cookie of an admin who signed in a while ago, and the page's token, but no password. */
describe('a stolen session of an admin', () => {
  let support: Support;
  let browser: Browser;
  let admin: { id: string; email: string; password: string };

  beforeAll(async () => {
    support = await Support.start('stolen', {
      SECOND_FACTOR: 'viewer',
      SECOND_FACTOR_KEY: 'a-key-for-tests-0123456789-0123456789',
    });
  });
  afterAll(() => support?.stop());

  beforeEach(async () => {
    admin = await staffMember(support, 'admin');
    browser = await setUp(admin);
  });

  /** Signs in for the first time, and sets up the second factor. */
  async function setUp({
    email,
    password,
  }: {
    email: string;
    password: string;
  }): Promise<Browser & { secret: string }> {
    const own = Object.assign(new Browser(support), { secret: '' });
    await own.signIn(email, password);
    own.secret = (await own.call('post', '/v1/session/second-factor', { password })).body.secret;
    const confirmed = await own.call('put', '/v1/session/second-factor', { code: code(own.secret) });
    expect(confirmed.status).toBe(200);
    return own;
  }

  async function accountsAndKeys(): Promise<unknown> {
    const { db } = support.database;
    const keys = await db
      .collection('api_keys')
      .find({}, { projection: { last_used_at: 0 } })
      .toArray();
    return [keys, await db.collection('staff').find().toArray()];
  }

  /** The next code of the app. */
  function code(secret: string): string {
    support.clock.advance(MINUTE_MS);
    return authenticatorCode(secret, support.clock.now());
  }

  const SENSITIVE = [
    ['post', '/v1/api-keys', { name: 'stolen', role: 'admin' }],
    ['post', '/v1/staff', { email: 'mine@example.org', role: 'admin' }],
    ['patch', `/v1/staff/${ID}`, { role: 'admin' }],
    ['delete', `/v1/staff/${ID}/second-factor`, undefined],
    ['delete', `/v1/bottles/${ID}`, undefined],
    ['delete', '/v1/people/somebody', undefined],
    ['get', `/v1/bottles/${ID}/export`, undefined],
    ['get', '/v1/people/somebody/export', undefined],
    ['get', '/v1/bottles?format=csv', undefined],
    ['post', '/v1/gateways', { name: 'mine' }],
    ['post', `/v1/gateways/${ID}/token`, undefined],
  ] as const;

  it.each(SENSITIVE)('does not get %s %s without password and code', async (method, path, body) => {
    support.clock.advance(5 * MINUTE_MS);
    const before = await accountsAndKeys();
    expect((await browser.call(method, path, body)).body).toMatchObject({
      status: 403,
      code: 'reauthentication_required',
    });
    expect(await accountsAndKeys()).toEqual(before);
    // work goes on
    expect((await browser.call('get', '/v1/bottles')).status).toBe(200);
  });

  it('its owner does all that within five minutes after signing in', async () => {
    support.clock.advance(6 * MINUTE_MS);
    const { secret } = browser as Browser & { secret: string };
    const old = browser.cookie;
    const again = await browser.signIn(admin.email, admin.password, undefined, code(secret));
    expect(again.body.fresh_for_s).toBe(300);
    support.clock.advance(5 * MINUTE_MS - 1);
    expect((await browser.call('post', '/v1/api-keys', { name: 'mine', role: 'admin' })).status).toBe(201);
    // the session of before ended: a stolen cookie is worth nothing now
    const stolen = Object.assign(new Browser(support), { cookie: old });
    expect((await stolen.call('get', '/v1/session')).status).toBe(401);
  });

  it('a key that was made with it cannot touch accounts or make keys, and ends with the password', async () => {
    const { key } = (await browser.call('post', '/v1/api-keys', { name: 'stolen', role: 'admin' })).body;
    const other = await staffMember(support, 'admin');
    const forOther = { name: 'of another', role: 'admin', owner_id: other.id };
    const hidden = (await browser.call('post', '/v1/api-keys', forOther)).body.key;
    const before = await accountsAndKeys();
    for (const [method, path, body] of [
      ['patch', `/v1/staff/${admin.id}`, { password: 'correct horse battery staple' }],
      ['patch', `/v1/staff/${other.id}`, { role: 'viewer' }],
      ['delete', `/v1/staff/${admin.id}/second-factor`, undefined],
      ['post', '/v1/staff', { email: 'mine@example.org', role: 'admin' }],
      ['post', '/v1/api-keys', { name: 'another', role: 'admin' }],
    ] as const)
      for (const token of [key, hidden])
        expect((await support.call(method, path, body, token)).body).toMatchObject({
          status: 403,
          code: 'person_required',
        });
    expect(await accountsAndKeys()).toEqual(before);
    const { status } = await browser.call('post', '/v1/session/password', {
      current: admin.password,
      next: 'another long passphrase of mine',
    });
    expect(status).toBe(204);
    for (const token of [key, hidden])
      expect((await support.get('/v1/bottles', token)).body).toMatchObject({ code: 'token_unknown' });
    const { items } = (await support.get('/v1/audit?category=change&limit=3')).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'session.change_password',
      'api_key.delete',
      'api_key.delete',
    ]);
  });

  it('a key that was made with it ends with the second factor', async () => {
    const { secret } = browser as Browser & { secret: string };
    const make = async () =>
      (await browser.call('post', '/v1/api-keys', { name: 'stolen', role: 'admin' })).body.key as string;
    const first = await make();
    const proof = { password: admin.password, code: code(secret) };
    const next = (await browser.call('post', '/v1/session/second-factor', proof)).body.secret;
    expect((await browser.call('put', '/v1/session/second-factor', { code: code(next) })).status).toBe(200);
    expect((await support.get('/v1/bottles', first)).status).toBe(401);
    const second = await make();
    expect((await support.call('delete', `/v1/staff/${admin.id}/second-factor`)).status).toBe(204);
    expect((await support.get('/v1/bottles', second)).status).toBe(401);
  });

  it('the right password does not reset the count of wrong codes', async () => {
    const { password, email } = admin;
    const guesses: number[] = [];
    for (let guess = 0; guess < 30; guess += 1) {
      const wrong = { email, password, code: String(guess).padStart(6, '0') };
      guesses.push((await support.post('/v1/session', wrong, null)).status);
      await browser.call('post', '/v1/session/end-others', { password });
    }
    expect(guesses.filter((status) => status === 401)).toHaveLength(10);
    expect(guesses.filter((status) => status === 429)).toHaveLength(20);
  });
});

it('of two admins who disable each other at once, one stays', async () => {
  const support = await Support.start('two-admins');
  try {
    for (let time = 0; time < 5; time += 1) {
      const admins = [await staffMember(support, 'admin'), await staffMember(support, 'admin')];
      const browsers = await Promise.all(
        admins.map(async ({ email, password }) => {
          const browser = new Browser(support);
          await browser.signIn(email, password);
          return browser;
        }),
      );
      const disable = (by: number, change: object) =>
        browsers[by]!.call('patch', `/v1/staff/${admins[1 - by]!.id}`, change);
      const answers = await Promise.all([
        disable(0, { disabled: true }),
        disable(1, time % 2 ? { role: 'viewer' } : { disabled: true }),
      ]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const { items } = (await support.get('/v1/staff')).body;
      const left = items.filter(
        ({ id, disabled, role }: { id: string; disabled: boolean; role: string }) =>
          admins.some((one) => one.id === id) && !disabled && role === 'admin',
      );
      expect(left).toHaveLength(1);
    }
  } finally {
    await support.stop();
  }
});
