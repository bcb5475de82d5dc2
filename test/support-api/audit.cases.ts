import { Types } from 'mongoose';
import { Browser, signedIn, staffMember } from './browser.js';
import { insertAlerts, insertDeliveries } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('audit', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('audit');
  });
  afterAll(() => support?.stop());

  const about = async (subject: string) =>
    (await support.get(`/v1/audit?subject=${encodeURIComponent(subject)}`)).body.items;

  const ADMIN = { kind: 'api_key', id: 'ADMIN_TOKEN', name: 'ADMIN_TOKEN' };

  it('records who did what to which bottle, with a session or a key', async () => {
    const { id, email, password } = await staffMember(support, 'support', { name: 'Carol' });
    const browser = new Browser(support);
    await browser.signIn(email, password);
    const key = await support.post('/v1/api-keys', { name: 'the importer', role: 'support' });
    const registered = await support.post(
      '/v1/bottles',
      { user_id: 'will', medication: 'Cordrazine', time_zone: 'Europe/Berlin' },
      key.body.key,
    );
    const bottle = registered.body.bottle_id;
    support.clock.advance(1000);
    await browser.call('put', `/v1/bottles/${bottle}/schedule`, {
      schedule: { kind: 'as_needed', max_per_day: 3 },
    });
    support.clock.set(NOW);

    expect(await about(`bottle:${bottle}`)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        at: new Date(NOW.getTime() + 1000).toISOString(),
        who: { kind: 'staff', id, name: 'Carol' },
        action: 'bottle.set_schedule',
        subject: { kind: 'bottle', id: bottle },
        details: { fields: ['schedule'] },
      },
      expect.objectContaining({
        at: NOW.toISOString(),
        who: { kind: 'api_key', id: key.body.id, name: 'the importer' },
        action: 'bottle.register',
        details: { time_zone: 'Europe/Berlin', fields: ['user_id', 'medication'] },
      }),
    ]);
    expect((await support.get(`/v1/audit?staff_id=${id}`)).body.items).toMatchObject([
      { action: 'bottle.set_schedule' },
      { action: 'session.begin' },
    ]);
  });

  it('has an entry for each kind of change, and none for refused requests', async () => {
    const { id: bottle } = await support.register();
    const bottle_id = new Types.ObjectId(bottle);
    const [alert, other] = await insertAlerts(support, [{ bottle_id }, { bottle_id, kind: 'bottle_silent' }]);
    const [delivery] = await insertDeliveries(support, [{ bottle_id, status: 'dead' }]);
    const until = new Date(NOW.getTime() + 60_000).toISOString();
    const call = async (...args: Parameters<Support['call']>) => {
      const answer = await support.call(...args);
      if (answer.status >= 300) throw new Error(answer.text);
      return answer.body;
    };
    await call('patch', `/v1/bottles/${bottle}`, { medication: 'Other' });
    await call('post', `/v1/bottles/${bottle}/token`);
    await call('post', `/v1/bottles/${bottle}/pauses`, { to: until });
    await call('post', `/v1/alerts/${alert}/snooze`, { until, note: 'private' });
    await call('post', `/v1/alerts/${alert}/acknowledge`, { note: 'private' });
    await call('post', `/v1/alerts/${alert}/close`, { reason: 'duplicate', note: 'private' });
    await call('post', `/v1/deliveries/${delivery}/replay`);
    await call('delete', `/v1/bottles/${bottle}`);
    await support.call('post', `/v1/alerts/${other}/acknowledge`);
    await support.call('delete', `/v1/bottles/${bottle}`);

    const entries = await about(`bottle:${bottle}`);
    expect(entries.map(({ action, subject, who }: Record<string, object>) => [action, subject, who])).toEqual(
      [
        ['bottle.erase', { kind: 'bottle', id: bottle }],
        ['delivery.replay', { kind: 'delivery', id: delivery }],
        ['alert.close', { kind: 'alert', id: alert }],
        ['alert.acknowledge', { kind: 'alert', id: alert }],
        ['alert.snooze', { kind: 'alert', id: alert }],
        ['bottle.pause', { kind: 'bottle', id: bottle }],
        ['bottle.rotate_token', { kind: 'bottle', id: bottle }],
        ['bottle.change', { kind: 'bottle', id: bottle }],
        ['bottle.register', { kind: 'bottle', id: bottle }],
      ].map((entry) => [...entry, ADMIN]),
    );
    expect(entries.find(({ action }: { action: string }) => action === 'alert.snooze').details).toEqual({
      until,
      fields: ['note'],
    });

    await call('put', '/v1/contacts/will', { email: 'will@example.org' });
    await call('delete', '/v1/contacts/will');
    expect(await about('contact:will')).toMatchObject([
      { action: 'contact.delete', details: {} },
      { action: 'contact.put', details: { fields: ['email'] } },
    ]);
  });

  it('contains no secrets and no patient data', async () => {
    const { id, password } = await staffMember(support, 'viewer');
    await support.call('patch', `/v1/staff/${id}`, { password: 'correct horse battery', role: 'support' });
    await support.call('put', '/v1/contacts/will', { email: 'someone@example.org' });
    const key = await support.keyOf('viewer');
    const { token } = await support.register({ medication: 'Inaprovaline' });
    const browser = await signedIn(support, 'viewer');
    await browser.call('post', '/v1/session/password', { current: 'a wrong one', next: 'another good one' });
    expect(await about(`staff:${id}`)).toMatchObject([
      { action: 'staff.change', details: { role: 'support', fields: ['password'] } },
      { action: 'staff.create', details: { role: 'viewer', name: 'A viewer', email: expect.any(String) } },
    ]);
    const { text } = await support.get('/v1/audit?limit=200');
    const secrets = [
      password,
      'correct horse battery',
      'someone@example.org',
      key,
      token,
      'Inaprovaline',
      'a wrong one',
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('records signing in, signing out and a new password', async () => {
    const { id, email, password } = await staffMember(support, 'viewer');
    const browser = new Browser(support);
    await browser.signIn(email, 'wrong');
    await browser.signIn(email, password);
    await browser.call('post', '/v1/session/password', { current: password, next: 'correct horse battery' });
    await browser.call('delete', '/v1/session');
    const entries = await about(`staff:${id}`);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'session.end',
      'session.change_password',
      'session.begin',
      'staff.create',
    ]);
  });

  it('is paged newest first, each entry once, also entries with the same time', async () => {
    for (let count = 0; count < 7; count += 1) await support.keyOf('viewer');
    const whole = (await support.get('/v1/audit?limit=200')).body.items;
    expect(whole.length).toBeGreaterThan(20);
    for (const limit of [1, 3, 7]) expect((await support.pages('/v1/audit', limit)).items).toEqual(whole);
    const ofKeys = await support.pages('/v1/audit?staff_id=000000000000000000000000', 5);
    expect(ofKeys.items).toEqual([]);
  });

  it.each([
    ['subject=bottle', 'invalid_value', 'subject'],
    ['subject=planet:x', 'invalid_value', 'subject'],
    ['subject=', 'out_of_range', 'subject'],
    ['subject[$gt]=', 'unknown_field', 'subject[$gt]'],
    ['staff_id=me', 'invalid_id', 'staff_id'],
    ['limit=0', 'out_of_range', 'limit'],
    ['cursor=x', 'invalid_cursor', 'cursor'],
    ['who=x', 'unknown_field', 'who'],
  ])('refuses %s', async (query, code, field) => {
    expect(await support.get(`/v1/audit?${query}`)).toMatchObject({ status: 400, body: { code, field } });
  });
});
