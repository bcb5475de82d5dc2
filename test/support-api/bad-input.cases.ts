import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { insertAlerts } from './fixtures.js';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import { Support } from './support.js';

describe('bad input', () => {
  let support: Support;
  let bottle: string;
  let alert: string;

  beforeAll(async () => {
    support = await Support.start('bad-input');
    bottle = (await support.register({ schedule: { kind: 'times_of_day', times: ['08:00'] } })).id;
    alert = (await insertAlerts(support, [{}]))[0]!;
  });
  afterAll(() => support?.stop());

  /** Sends a request and expects this error, and that nothing was stored. */
  async function expectRefused(
    send: () => Promise<{ status: number; body: unknown }>,
    code: string,
    field: string | undefined,
    status = 400,
  ): Promise<void> {
    const before = await support.stored();
    const answer = await send();
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status,
      body: { code, ...(field === undefined ? {} : { field }) },
    });
    expect(await support.stored()).toBe(before);
  }

  const GOOD = { user_id: 'will', medication: 'Cordrazine', time_zone: 'Europe/Berlin' };
  const daily = (more: object) => ({
    ...GOOD,
    schedule: { kind: 'times_of_day', times: ['08:00'], ...more },
  });

  it.each([
    ['post', '/v1/staff', { email: '\uD800@example.org', role: 'viewer' }],
    ['post', '/v1/session', { email: '\uD800@example.org', password: '\uD800' }],
    ['put', '/v1/contacts/someone', { email: '\uDFFF@example.org', time_zone: 'UTC' }],
    ['put', '/v1/contacts/someone', { carer: { email: 'a@\uD800.org' }, time_zone: 'UTC' }],
    ['post', '/v1/bottles', { user_id: '\uD800', medication: '\uD800', time_zone: 'UTC' }],
    ['post', '/v1/api-keys', { name: '\uD800', role: 'viewer' }],
    ['post', '/v1/people/someone/notes', { text: '\uD800' }],
    ['put', '/v1/session/views', { name: '\uD800', columns: [] }],
  ] as const)('takes half of a character for no fault of its own: %s %s %j', async (method, path, body) => {
    expect((await support.call(method, path, body)).status).toBeLessThan(500);
  });

  it('refuses a body of thousands of fields, and names few errors', async () => {
    const fields = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, n]));
    const many = await support.post('/v1/session', fields(3_000), null);
    expect(many).toMatchObject({ status: 400, body: { code: 'body_too_complex' } });
    const some = await support.post('/v1/session', fields(60), null);
    expect(some.body).toMatchObject({ code: 'unknown_field', field: 'field_0' });
    const steps = Array.from({ length: 500 }, () => ({ after: 1, to: 1, repeat: 1, more: 1 }));
    const nested = await support.call('put', '/v1/contacts/will', { escalation: steps });
    expect(nested.body.errors).toHaveLength(20);
    for (const { text } of [many, some, nested]) expect(text.length).toBeLessThan(4_000);
  });

  describe('POST /v1/bottles', () => {
    it.each<[string, unknown, string, string | undefined]>([
      ['nothing', {}, 'missing_field', 'user_id'],
      ['a list', [GOOD], 'invalid_body', undefined],
      ['an object for the owner', { ...GOOD, user_id: { $gt: '' } }, 'invalid_type', 'user_id'],
      ['a list for the owner', { ...GOOD, user_id: ['will'] }, 'invalid_type', 'user_id'],
      ['a number for the owner', { ...GOOD, user_id: 7 }, 'invalid_type', 'user_id'],
      ['null for the owner', { ...GOOD, user_id: null }, 'invalid_type', 'user_id'],
      ['an empty owner', { ...GOOD, user_id: '' }, 'out_of_range', 'user_id'],
      ['a blank owner', { ...GOOD, user_id: '  ' }, 'invalid_value', 'user_id'],
      ['an endless owner', { ...GOOD, user_id: 'x'.repeat(201) }, 'out_of_range', 'user_id'],
      ['no medication', { ...GOOD, medication: undefined }, 'missing_field', 'medication'],
      [
        'a medication that is an operator',
        { ...GOOD, medication: { $ne: null } },
        'invalid_type',
        'medication',
      ],
      ['no zone', { ...GOOD, time_zone: undefined }, 'missing_field', 'time_zone'],
      ['a zone that is none', { ...GOOD, time_zone: 'Mars/Olympus' }, 'invalid_value', 'time_zone'],
      ['an offset for a zone', { ...GOOD, time_zone: '+02:00' }, 'invalid_value', 'time_zone'],
      ['pills as text', { ...GOOD, number_of_pills: '30' }, 'invalid_type', 'number_of_pills'],
      ['a third of a pill', { ...GOOD, number_of_pills: 0.33 }, 'invalid_value', 'number_of_pills'],
      ['fewer than no pills', { ...GOOD, number_of_pills: -1 }, 'out_of_range', 'number_of_pills'],
      ['absurdly many pills', { ...GOOD, number_of_pills: 1e9 }, 'out_of_range', 'number_of_pills'],
      ['null pills', { ...GOOD, number_of_pills: null }, 'invalid_type', 'number_of_pills'],
      ['a field too many', { ...GOOD, token_hash: 'x' }, 'unknown_field', 'token_hash'],
      ['an id of its own', { ...GOOD, _id: '0'.repeat(24) }, 'unknown_field', '_id'],
      ['a schedule that is null', { ...GOOD, schedule: null }, 'invalid_schedule', 'schedule'],
      ['a schedule that is text', { ...GOOD, schedule: 'daily' }, 'invalid_schedule', 'schedule'],
      ['a schedule that is a list', { ...GOOD, schedule: [] }, 'invalid_schedule', 'schedule'],
      ['a schedule of no kind', { ...GOOD, schedule: {} }, 'invalid_schedule', 'schedule.kind'],
      [
        'a schedule of a kind that objects have',
        { ...GOOD, schedule: { kind: 'constructor' } },
        'invalid_schedule',
        'schedule.kind',
      ],
      ['a time that is none', daily({ times: ['08:00', '25:00'] }), 'invalid_schedule', 'schedule.times[1]'],
      [
        'an operator for a time',
        daily({ times: [{ $gt: '' }] }),
        'invalid_schedule',
        'schedule.times[0].$gt',
      ],
      ['a schedule with a field too many', daily({ $where: '1' }), 'invalid_schedule', 'schedule.$where'],
      ['a window that is none', daily({ late_after: '-1h' }), 'invalid_schedule', 'schedule.late_after'],
      ['no pills per dose', daily({ pills_per_dose: 0 }), 'invalid_schedule', 'schedule.pills_per_dose'],
      [
        'a beginning in a leap second',
        daily({ effective_from: '2027-06-30T23:59:60Z' }),
        'invalid_schedule',
        'schedule.effective_from',
      ],
      [
        'a beginning that is no time',
        daily({ effective_from: 'soon' }),
        'invalid_schedule',
        'schedule.effective_from',
      ],
    ])('refuses %s', (_, body, code, field) =>
      expectRefused(() => support.post('/v1/bottles', body as object), code, field),
    );

    it.each<[string, string, string, number]>([
      ['broken JSON', '{"user_id": ', 'malformed_json', 400],
      [
        'NaN',
        '{"user_id":"will","medication":"C","time_zone":"UTC","number_of_pills":NaN}',
        'malformed_json',
        400,
      ],
      [
        'a prototype',
        `{"__proto__":{"role":"admin"},"user_id":"will","medication":"C","time_zone":"UTC"}`,
        'unknown_field',
        400,
      ],
      ['text', '"will"', 'invalid_body', 400],
      ['null', 'null', 'invalid_body', 400],
      ['10 MB', JSON.stringify({ ...GOOD, user_id: 'x'.repeat(10_000_000) }), 'body_too_large', 413],
      [
        'lists a thousand deep',
        `{"user_id":"will","medication":"C","time_zone":"UTC","schedule":${'['.repeat(1000)}${']'.repeat(1000)}}`,
        'too_deeply_nested',
        400,
      ],
      [
        'lists as deep as a body can be',
        `{"user_id":"will","medication":"C","time_zone":"UTC","schedule":${'['.repeat(32_000)}${']'.repeat(32_000)}}`,
        'too_deeply_nested',
        400,
      ],
      [
        'objects as deep as a body can be',
        `{"user_id":"will","medication":"C","time_zone":"UTC","schedule":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
        'too_deeply_nested',
        400,
      ],
    ])('refuses %s', async (_, body, code, status) => {
      const before = await support.stored();
      const answer = await support.post('/v1/bottles', body);
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { code } });
      expect(await support.stored()).toBe(before);
    });

    it('refuses a body that is not JSON', async () => {
      const answer = await supertest(support.app.getHttpServer())
        .post('/v1/bottles')
        .set('authorization', `Bearer ${ADMIN_TOKEN}`)
        .type('application/x-www-form-urlencoded')
        .send('user_id=will');
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    });
  });

  const ID = '0'.repeat(24);

  it.each<[string, string, string, string | undefined]>([
    ['/v1/bottles', 'status=sleepy', 'invalid_value', 'status'],
    ['/v1/bottles', 'status=late&status=open', 'invalid_type', 'status'],
    ['/v1/bottles', 'status=', 'invalid_value', 'status'],
    ['/v1/bottles', 'user_id=a&user_id=b', 'invalid_type', 'user_id'],
    ['/v1/bottles', 'user_id[$gt]=', 'unknown_field', 'user_id[$gt]'],
    ['/v1/bottles', 'user_id=', 'out_of_range', 'user_id'],
    ['/v1/bottles', 'medication[]=a', 'unknown_field', 'medication[]'],
    ['/v1/bottles', '$where=1', 'unknown_field', '$where'],
    ['/v1/bottles', '__proto__[limit]=1', 'unknown_field', '__proto__[limit]'],
    ['/v1/bottles', 'limit=0', 'out_of_range', 'limit'],
    ['/v1/bottles', 'limit=201', 'out_of_range', 'limit'],
    ['/v1/bottles', 'limit=-1', 'out_of_range', 'limit'],
    ['/v1/bottles', 'limit=1.5', 'invalid_type', 'limit'],
    ['/v1/bottles', 'limit=1e2', 'invalid_type', 'limit'],
    ['/v1/bottles', 'limit=NaN', 'invalid_type', 'limit'],
    ['/v1/bottles', 'limit=', 'invalid_type', 'limit'],
    ['/v1/bottles', 'limit=5&limit=6', 'invalid_type', 'limit'],
    ['/v1/bottles', 'cursor=', 'out_of_range', 'cursor'],
    ['/v1/bottles', 'cursor=nonsense', 'invalid_cursor', 'cursor'],
    ['/v1/bottles', 'cursor=%00', 'invalid_cursor', 'cursor'],
    ['/v1/bottles', 'cursor=a&cursor=b', 'invalid_type', 'cursor'],
    [
      '/v1/bottles',
      `cursor=${Buffer.from(`alerts 1 ${ID}`).toString('base64url')}`,
      'invalid_cursor',
      'cursor',
    ],
    [
      '/v1/bottles',
      `cursor=${Buffer.from(`bottles  ${ID}`).toString('base64url')}!`,
      'invalid_cursor',
      'cursor',
    ],
    [
      '/v1/bottles',
      `cursor=${Buffer.from('bottles  {"$gt":""}').toString('base64url')}`,
      'invalid_cursor',
      'cursor',
    ],
    [
      '/v1/alerts',
      `cursor=${Buffer.from(`alerts  ${ID}`).toString('base64url')}`,
      'invalid_cursor',
      'cursor',
    ],
    [
      '/v1/alerts',
      `cursor=${Buffer.from(`alerts 9999999999999999 ${ID}`).toString('base64url')}`,
      'invalid_cursor',
      'cursor',
    ],
    ['/v1/alerts', 'state=asleep', 'invalid_value', 'state'],
    ['/v1/alerts', 'kind=anything', 'invalid_value', 'kind'],
    ['/v1/alerts', 'kind=missed_dose&kind=bottle_open', 'invalid_type', 'kind'],
    ['/v1/alerts', 'bottle_id=12', 'invalid_id', 'bottle_id'],
    ['/v1/alerts', 'bottle_id[$ne]=12', 'unknown_field', 'bottle_id[$ne]'],
    ['/v1/deliveries', 'status=gone', 'invalid_value', 'status'],
    ['/v1/staff', 'format=xml', 'invalid_value', 'format'],
    ['/v1/staff', 'limit=1', 'unknown_field', 'limit'],
    ['/v1/staff/colleagues', 'format=xml', 'invalid_value', 'format'],
    ['/v1/api-keys', 'format=xml', 'invalid_value', 'format'],
    ['/v1/api-keys', 'limit=0', 'unknown_field', 'limit'],
    [`/v1/bottles/${ID}/notes`, 'format=xml', 'invalid_value', 'format'],
    ['/v1/deliveries', 'alert_id=zz', 'invalid_id', 'alert_id'],
    [
      '/v1/deliveries',
      `cursor=${Buffer.from(`deliveries 1 ${ID}`).toString('base64url')}`,
      'invalid_cursor',
      'cursor',
    ],
    [`/v1/bottles/${ID}/actions`, 'from=yesterday', 'invalid_time', 'from'],
    [`/v1/bottles/${ID}/actions`, 'from=2026-02-31T00:00:00Z', 'invalid_time', 'from'],
    [`/v1/bottles/${ID}/actions`, 'from=2026-01-01', 'invalid_time', 'from'],
    [
      `/v1/bottles/${ID}/actions`,
      'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
      'invalid_range',
      'from',
    ],
    [`/v1/bottles/${ID}/heartbeats`, 'from=2100-01-01T00:00:00Z', 'invalid_range', 'from'],
    [`/v1/bottles/${ID}/doses`, 'to[$gt]=2026-01-01T00:00:00Z', 'unknown_field', 'to[$gt]'],
    [`/v1/bottles/${ID}/doses`, 'cursor=AAAA', 'invalid_cursor', 'cursor'],
  ])('GET %s?%s is refused', (path, query, code, field) =>
    expectRefused(() => support.get(`${path}?${query}`), code, field),
  );

  it.each([
    'x',
    '12',
    ID.slice(1),
    `${ID}0`,
    'g'.repeat(24),
    '%00',
    '$gt',
    '..%2f..',
    '%7B%22$gt%22:%22%22%7D',
  ])('an id such as %s is refused', async (id) => {
    for (const [method, path] of [
      ['get', `/v1/bottles/${id}`],
      ['get', `/v1/bottles/${id}/actions`],
      ['patch', `/v1/bottles/${id}`],
      ['delete', `/v1/bottles/${id}`],
      ['get', `/v1/alerts/${id}`],
      ['post', `/v1/alerts/${id}/acknowledge`],
      ['delete', `/v1/api-keys/${id}`],
      ['post', `/v1/deliveries/${id}/replay`],
    ] as const) {
      await expectRefused(() => support.call(method, path), 'invalid_id', 'id');
    }
  });

  describe('what changes a bottle', () => {
    it.each<[string, 'patch' | 'put' | 'post', string, unknown, string, string | undefined]>([
      ['nothing to change', 'patch', '', {}, 'nothing_to_change', undefined],
      ['no body', 'patch', '', undefined, 'missing_field', 'body'],
      ['an operator', 'patch', '', { user_id: { $set: 1 } }, 'invalid_type', 'user_id'],
      ['null', 'patch', '', { medication: null }, 'invalid_type', 'medication'],
      ['a zone that is none', 'patch', '', { time_zone: 'Nowhere' }, 'invalid_value', 'time_zone'],
      ['pills', 'patch', '', { number_of_pills: 3 }, 'unknown_field', 'number_of_pills'],
      ['a token of their own', 'patch', '', { token_hash: 'a' }, 'unknown_field', 'token_hash'],
      ['no schedule', 'put', '/schedule', {}, 'missing_field', 'schedule'],
      [
        'a schedule that is not in a field',
        'put',
        '/schedule',
        { kind: 'as_needed', max_per_day: 1 },
        'unknown_field',
        'kind',
      ],
      [
        'a schedule that is none',
        'put',
        '/schedule',
        { schedule: { kind: 'as_needed' } },
        'invalid_schedule',
        'schedule.max_per_day',
      ],
    ])('is refused with %s', (_, method, path, body, code, field) =>
      expectRefused(() => support.call(method, `/v1/bottles/${bottle}${path}`, body as object), code, field),
    );

    it.each<['patch' | 'put' | 'post' | 'delete', string, object]>([
      ['patch', '', { user_id: 'anna' }],
      ['patch', '', { time_zone: 'UTC' }],
      ['put', '/schedule', { schedule: { kind: 'as_needed', max_per_day: 1 } }],
      ['post', '/token', {}],
      ['delete', '', {}],
    ])('%s …%s is refused for an unknown bottle', (method, path, body) =>
      expectRefused(
        () => support.call(method, `/v1/bottles/${ID}${path}`, body),
        'bottle_not_found',
        undefined,
        404,
      ),
    );
  });

  it.each<[string, unknown, string, string]>([
    ['a note that is an object', { note: { $gt: '' } }, 'invalid_type', 'note'],
    ['an empty note', { note: '' }, 'out_of_range', 'note'],
    ['an endless note', { note: 'x'.repeat(1001) }, 'out_of_range', 'note'],
    ['a name of their own', { by: 'notifier' }, 'unknown_field', 'by'],
  ])('acknowledging is refused with %s', (_, body, code, field) =>
    expectRefused(() => support.post(`/v1/alerts/${alert}/acknowledge`, body as object), code, field),
  );

  it.each<[string, unknown, string, string]>([
    ['no name', { role: 'viewer' }, 'missing_field', 'name'],
    ['no role', { name: 'a' }, 'missing_field', 'role'],
    ['a role that is none', { name: 'a', role: 'root' }, 'invalid_value', 'role'],
    ['several roles', { name: 'a', role: ['admin'] }, 'invalid_type', 'role'],
    ['a key of their own', { name: 'a', role: 'viewer', key_hash: 'x' }, 'unknown_field', 'key_hash'],
  ])('making a key is refused with %s', (_, body, code, field) =>
    expectRefused(() => support.post('/v1/api-keys', body as object), code, field),
  );

  it('has no other routes', async () => {
    expect(await support.get('/v1/nothing')).toMatchObject({
      status: 404,
      body: { code: 'route_not_found' },
    });
    expect((await support.get('/v1/bottles/%E0%A4%A')).status).toBe(400);
  });

  it('PUT /v1/contacts is refused without a body, and wipes nothing', async () => {
    await support.call('put', '/v1/contacts/anna', { email: 'anna@example.org' });
    await expectRefused(() => support.call('put', '/v1/contacts/anna'), 'missing_field', 'body');
  });

  it.each(['user_id', 'medication', 'label'])('half a pair of surrogates is no text: %s', async (field) => {
    const body = { ...GOOD, [field]: 'a\ud83d' };
    await expectRefused(() => support.post('/v1/bottles', body), 'invalid_value', field);
    const { status } = await support.post('/v1/bottles', { ...body, [field]: 'a\ud83d\udc8a' });
    expect(status).toBe(201);
  });

  describe('a user id', () => {
    const INVALID = [
      '.',
      '..',
      ' will',
      'will ',
      'will  cross',
      'will\tcross',
      'will\u00a0cross',
      'will\u200b',
      'wi\u00adll',
      'will\u2066',
      'will\u3164',
    ];

    it.each([...INVALID, 'w'.repeat(201)])('%j is refused wherever one is chosen', async (user_id) => {
      const code = user_id.length > 200 ? 'out_of_range' : 'invalid_value';
      await expectRefused(() => support.post('/v1/bottles', { ...GOOD, user_id }), code, 'user_id');
      await expectRefused(() => support.call('patch', `/v1/bottles/${bottle}`, { user_id }), code, 'user_id');
      // a client takes . and .. out of the address, and white space around a line of CSV does not count
      const path = `/v1/contacts/${encodeURIComponent(user_id)}`;
      if (!user_id.startsWith('.'))
        await expectRefused(() => support.call('put', path, { webhook: true }), 'invalid_value', 'user_id');
      if (user_id.trim() !== user_id) return;
      const csv = `user_id,medication,time_zone\n${user_id},Cordrazine,UTC\n`;
      for (const route of ['import', 'import/check'])
        expect((await support.sendCsv(`/v1/bottles/${route}`, csv)).body).toMatchObject({
          code: 'invalid_csv',
          field: 'user_id',
        });
    });

    it.each(['.', '..', '%2e', '%2e%2e'])(
      '%s is refused from a client that leaves it in the address',
      async (id) => {
        if (!support.app.getHttpServer().listening) await support.app.listen(0, '127.0.0.1');
        const { port } = support.app.getHttpServer().address() as AddressInfo;
        const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
        const answer = await new Promise<string>((resolve, reject) => {
          const sent = request({ port, method: 'PUT', path: `/v1/contacts/${id}`, headers }, (response) => {
            response.setEncoding('utf8').on('data', resolve);
          });
          sent.on('error', reject).end('{"webhook":true}');
        });
        expect(JSON.parse(answer)).toMatchObject({ status: 400, code: 'invalid_value', field: 'user_id' });
      },
    );

    it.each<['get' | 'delete' | 'post', string]>([
      ['get', '/v1/contacts/USER'],
      ['delete', '/v1/contacts/USER'],
      ['post', '/v1/contacts/USER/test'],
      ['get', '/v1/people/USER'],
      ['get', '/v1/people/USER/doses'],
      ['post', '/v1/people/USER/notes'],
      ['get', '/v1/people/USER/export'],
      ['get', '/v1/people/USER/erasure'],
      ['delete', '/v1/people/USER'],
    ])('%s %s names it if nothing is stored under it', async (method, path) => {
      const body = path.endsWith('test') ? { to: 'user', channel: 'email' } : { text: 'a note' };
      const ask = (user: string) =>
        support.call(method, path.replace('USER', user), method === 'post' ? body : undefined);
      expect((await ask('will%20')).body).toMatchObject({
        status: 400,
        code: 'invalid_value',
        field: 'user_id',
      });
      expect((await ask('nobody')).status).toBe(404);
    });

    it('that is stored from before is read, changed and erased as it is', async () => {
      await support.database.db
        .collection('contacts')
        .insertOne({ _id: 'old  one ' as never, webhook: true, time_zone: 'UTC', changed_at: new Date(0) });
      const path = '/v1/contacts/old%20%20one%20';
      expect((await support.get(path)).status).toBe(200);
      expect((await support.call('put', path, { webhook: false })).status).toBe(200);
      expect((await support.call('delete', '/v1/people/old%20%20one%20')).status).toBe(200);
    });
  });

  describe('PUT /v1/contacts', () => {
    const step = (more: object): object => ({ escalation: [{ after: '0m', to: 'user', ...more }] });
    const remind = (more: object): object => ({ escalation: [{ remind: '-10m', to: 'user', ...more }] });

    it.each<[string, object, string]>([
      ['no pause between repetitions', step({ repeat: '0m' }), 'escalation[0].repeat'],
      ['less than a minute between repetitions', step({ repeat: '59s' }), 'escalation[0].repeat'],
      ['a time without a unit', step({ after: '30' }), 'escalation[0].after'],
      ['somebody else', step({ to: 'neighbour' }), 'escalation[0].to'],
      ['an unknown kind', step({ kinds: ['late_dose'] }), 'escalation[0].kinds'],
      ['the kind of reminders', step({ kinds: ['dose_reminder'] }), 'escalation[0].kinds'],
      ['a reminder without a unit', remind({ remind: '10' }), 'escalation[0].remind'],
      ['a reminder to the carer', remind({ to: 'carer' }), 'escalation[0].to'],
      ['no time for quiet hours', { quiet_hours: { from: '24:00', to: '07:00' } }, 'quiet_hours.from'],
    ])('%s', (_, body, field) =>
      expectRefused(() => support.call('put', '/v1/contacts/will', body), 'invalid_value', field),
    );

    it.each<[string, object, string, string]>([
      ['a list for a step', { escalation: [[]] }, 'invalid_type', 'escalation'],
      [
        'a step in another list',
        { escalation: [[{ after: '30m', to: 'carer' }]] },
        'invalid_type',
        'escalation',
      ],
      ['null for a step', { escalation: [null] }, 'invalid_type', 'escalation'],
      ['text for a step', { escalation: ['carer'] }, 'invalid_type', 'escalation'],
      ['a step of no kind', step({ kinds: [] }), 'out_of_range', 'escalation[0].kinds'],
      [
        'a kind twice',
        step({ kinds: ['missed_dose', 'missed_dose'] }),
        'invalid_type',
        'escalation[0].kinds',
      ],
      ['no time for a step', { escalation: [{ to: 'user' }] }, 'missing_field', 'escalation[0].after'],
      ['two times for a step', remind({ after: '0m' }), 'forbidden_field', 'escalation[0].after'],
      ['a reminder that repeats', remind({ repeat: '10m' }), 'forbidden_field', 'escalation[0].repeat'],
      ['a reminder too early', remind({ remind: '-721m' }), 'out_of_range', 'escalation[0].remind'],
      ['a reminder too late', remind({ remind: '1d' }), 'out_of_range', 'escalation[0].remind'],
      ['a list for a carer', { carer: [{ email: 'a@example.org' }] }, 'invalid_type', 'carer'],
    ])('%s', (_, body, code, field) =>
      expectRefused(() => support.call('put', '/v1/contacts/will', body), code, field),
    );
  });
});
