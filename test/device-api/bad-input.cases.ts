import { MINUTE_MS } from '#domain';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { MAX_BATCH_ITEMS } from '../../apps/device-api/src/batch/batch.dto.js';
import { MAX_GATEWAY_ITEMS } from '../../apps/device-api/src/gateway/gateway-batch.dto.js';
import { BAD_ACTIONS, BAD_HEARTBEATS } from './bad-reports.js';
import { at, Devices, opened, type Answer, type RegisteredBottle, type Sent } from './devices.js';

describe('bad input', () => {
  const GATEWAY = '/v1/gateway/batch';

  let devices: Devices;
  let bottle: RegisteredBottle;
  let gateway: { token: string };
  let before: string;

  beforeAll(async () => {
    devices = await Devices.start('bad-input');
    bottle = await devices.register();
    gateway = await devices.gateway(bottle);
    // something to spoil: a log, a last action, vitals
    await devices.post(bottle, '/v1/actions', opened(-60 * MINUTE_MS, { event_id: 'first' }));
    await devices.post(bottle, '/v1/heartbeats', { battery_percent: 80 });
    // a report that is let through by mistake moves last_heard_at
    devices.clock.advance(MINUTE_MS);
    before = await devices.stored();
  });
  afterAll(() => devices.stop());

  // after every single case: nothing was written
  afterEach(async () => {
    if ((await devices.stored()) !== before)
      throw new Error(`something was written: ${await devices.stored()}`);
  });

  function expectProblem(answer: Answer, status: number, code: string, field?: string): void {
    expect({ status: answer.status, type: answer.headers['content-type'], body: answer.body }).toMatchObject({
      status,
      type: expect.stringMatching(/^application\/problem\+json/),
      body: { status, code, type: `urn:pillwatch:problem:${code}`, detail: expect.any(String) },
    });
    expect(answer.body.field).toBe(field);
    if (field !== undefined) expect(answer.body.errors[0]).toMatchObject({ field, code });
  }

  const statusOf = (code: string): number => (code === 'event_id_conflict' ? 409 : 400);

  it.each(BAD_ACTIONS)('an action with %s is refused', async (_, body, code, field) =>
    expectProblem(await devices.post(bottle, '/v1/actions', body), statusOf(code), code, field),
  );

  it.each(BAD_HEARTBEATS)('a heartbeat with %s is refused', async (_, body, code, field) =>
    expectProblem(await devices.post(bottle, '/v1/heartbeats', body), 400, code, field),
  );

  const BAD_ITEMS = [
    ...BAD_ACTIONS.map(([what, body, ...rest]) => [
      `an action with ${what}`,
      { type: 'action', ...body },
      ...rest,
    ]),
    ...BAD_HEARTBEATS.map(([what, body, ...rest]) => [
      `a heartbeat with ${what}`,
      { type: 'heartbeat', ...body },
      ...rest,
    ]),
    ['no type', { battery_percent: 1 }, 'missing_field', 'type'],
    ['another type', { type: 'greeting' }, 'invalid_value', 'type'],
    ['an operator for its type', { type: { $gt: '' } }, 'invalid_value', 'type'],
    ['null for its type', { type: null }, 'invalid_value', 'type'],
    ['nothing in it', {}, 'missing_field', 'type'],
  ] as [string, Record<string, unknown>, string, string | undefined][];
  const NO_OBJECTS: [string, unknown, string, string | undefined][] = [
    ['a null', null, 'invalid_type', undefined],
    ['a list', [], 'invalid_type', undefined],
    ['a number', 7, 'invalid_type', undefined],
  ];

  function expectRefusedItem(answer: Answer, status: number, code: string, field: string | undefined): void {
    expect(answer).toMatchObject({
      status: 200,
      body: { results: [{ status, code, detail: expect.any(String) }] },
    });
    expect(answer.body.results[0].field).toBe(field);
  }

  it.each([...BAD_ITEMS, ...NO_OBJECTS])(
    'a batch with %s is taken, and the item refused',
    async (_, item, code, field) =>
      expectRefusedItem(
        await devices.post(bottle, '/v1/batch', { items: [item] }),
        statusOf(code),
        code,
        field,
      ),
  );

  it.each([
    ...BAD_ITEMS.filter(([, , , field]) => field !== 'bottle_id').map(
      ([what, item, ...rest]) => [what, () => ({ bottle_id: bottle.id, ...item }), ...rest] as const,
    ),
    ...NO_OBJECTS.map(([what, item, ...rest]) => [what, () => item, ...rest] as const),
    ['no bottle', () => ({ type: 'heartbeat' }), 'missing_field', 'bottle_id'] as const,
    ...(
      [
        ['a number for a bottle', 7, 'invalid_id'],
        ['null for a bottle', null, 'invalid_id'],
        ['an operator for a bottle', { $gt: '' }, 'invalid_id'],
        ['a list of bottles', ['0123456789abcdef01234567'], 'invalid_id'],
        ['an empty id', '', 'invalid_id'],
        ['a number in hex for an id', '0x01570aaa98db17dc6c142f', 'invalid_id'],
        ['an id in capitals', '0123456789ABCDEF01234567', 'invalid_id'],
        ['an id too long', '0123456789abcdef012345678', 'invalid_id'],
        ['a bottle of nobody', '0123456789abcdef01234567', 'bottle_not_assigned'],
      ] as const
    ).map(
      ([what, bottle_id, code]) =>
        [what, () => ({ type: 'heartbeat', bottle_id }), code, 'bottle_id'] as const,
    ),
  ])('a gateway’s batch with %s is taken, and the item refused', async (_, item, code, field) =>
    expectRefusedItem(
      await devices.post(gateway, '/v1/gateway/batch', { items: [item()] }),
      code === 'bottle_not_assigned' ? 403 : statusOf(code),
      code,
      field,
    ),
  );

  it.each<[string, unknown, string, string]>([
    ['no items', {}, 'missing_field', 'items'],
    ['an empty list of items', { items: [] }, 'out_of_range', 'items'],
    ['an object for items', { items: { type: 'heartbeat' } }, 'invalid_type', 'items'],
    ['text for items', { items: 'heartbeat' }, 'invalid_type', 'items'],
    ['null for items', { items: null }, 'invalid_type', 'items'],
    [
      'a bottle’s id',
      { bottle_id: '0123456789abcdef01234567', items: [{ type: 'heartbeat' }] },
      'unknown_field',
      'bottle_id',
    ],
  ])('a batch with %s is refused, a bottle’s and a gateway’s', async (_, body, code, field) => {
    expectProblem(await devices.post(bottle, '/v1/batch', body), 400, code, field);
    expectProblem(await devices.post(gateway, GATEWAY, body), 400, code, field);
  });

  it.each([
    ['/v1/batch', MAX_BATCH_ITEMS],
    [GATEWAY, MAX_GATEWAY_ITEMS],
  ])('%s refuses more than %d items', async (path, most) => {
    const items = Array.from({ length: most + 1 }, () => ({ type: 'heartbeat' }));
    expectProblem(await devices.post(speaker(path), path, { items }), 400, 'too_many_items', 'items');
  });

  it.each(['/v1/heartbeats', '/v1/actions', '/v1/batch'])('%s knows no gateway', async (path) =>
    expectProblem(await devices.post(gateway, path, {}), 403, 'token_of_another_kind'),
  );

  it('a gateway’s address knows no bottle', async () =>
    expectProblem(await devices.post(bottle, GATEWAY, {}), 403, 'token_of_another_kind'));

  const fieldsOf = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`field_${n}`, n])));

  it('refuses more unknown fields than a newer firmware has, and names none of them at length', async () => {
    const { text, body } = await devices.post(bottle, '/v1/actions', fieldsOf(60));
    expect(body).toMatchObject({ code: 'unknown_field' });
    expect(text.length).toBeLessThan(500);
    const long = await devices.post(bottle, '/v1/actions', { ['x'.repeat(50_000)]: 1 });
    expect(long.body).toMatchObject({ code: 'missing_field' });
    expect(long.text.length).toBeLessThan(1_500);
  });

  it('one bad item of a gateway’s batch does not stop the others', async () => {
    const other = await devices.register();
    await devices.assign(gateway as { id: string; token: string }, 'assign', other);
    const items = ['0x01570aaa98db17dc6c142f', other.id].map((bottle_id) => ({
      type: 'heartbeat',
      bottle_id,
    }));
    const { status, body } = await devices.post(gateway, GATEWAY, { items });
    expect({ status, results: body.results }).toMatchObject({
      status: 200,
      results: [{ status: 400, code: 'invalid_id' }, { status: 204 }],
    });
    before = await devices.stored();
  });

  const ROUTES = ['/v1/heartbeats', '/v1/actions', '/v1/batch', GATEWAY];
  /** Who may speak there. */
  const speaker = (path: string): { token: string } => (path === GATEWAY ? gateway : bottle);

  describe.each(ROUTES)('POST %s', (path) => {
    it.each<[string, string, number, string, string?]>([
      ['broken JSON', '{"sent_at": ', 400, 'malformed_json'],
      ['text after the JSON', '{} {}', 400, 'malformed_json'],
      ['NaN', '{"battery_percent":NaN}', 400, 'malformed_json'],
      ['Infinity', '{"battery_percent":-Infinity}', 400, 'malformed_json'],
      ['a field of every prototype', '{"__proto__":{"action":"opened"}}', 400, 'unknown_field', '__proto__'],
      ['the same in other letters', String.raw`{"\u005f_proto__":1}`, 400, 'unknown_field', '__proto__'],
      ['it in an item', '{"items":[{"__proto__":1}]}', 400, 'unknown_field', 'items[0].__proto__'],
      [
        'a constructor with a prototype',
        '{"constructor":{"prototype":{"a":1}}}',
        400,
        'unknown_field',
        'constructor',
      ],
      ['a constructor', '{"constructor":1}', 400, 'unknown_field', 'constructor'],
      ['a method of every object', '{"toString":1}', 400, 'unknown_field', 'toString'],
      ['hasOwnProperty', '{"hasOwnProperty":1}', 400, 'unknown_field', 'hasOwnProperty'],
      ['a method in an item', '{"items":[{"valueOf":1}]}', 400, 'unknown_field', 'items[0].valueOf'],
      ['too many fields', fieldsOf(65), 400, 'body_too_complex'],
      ['too many items', `{"items":[${'0,'.repeat(2_000)}0]}`, 400, 'body_too_complex'],
      ['lists in lists', `{"sent_at":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 400, 'too_deeply_nested'],
      ['10 MB', JSON.stringify({ event_id: 'x'.repeat(10_000_000) }), 413, 'body_too_large'],
    ])('refuses %s', async (_, body, status, code, ...[field]) =>
      expectProblem(await devices.post(speaker(path), path, body), status, code, field),
    );

    it.each(['[]', '"heartbeat"', '7', 'true'])('refuses %s for a body', async (body) => {
      const answer = await devices.post(speaker(path), path, body);
      expectProblem(answer, 400, answer.body.code, answer.body.field);
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'json',
      'garbage; charset',
    ])('refuses content of type %s', async (type) =>
      expectProblem(
        await devices.post(speaker(path), path, '{}', { headers: { 'content-type': type } }),
        415,
        'unsupported_media_type',
      ),
    );

    it('refuses 10 MB that do not say how many they are', async () => {
      const chunked: Sent = { headers: { 'transfer-encoding': 'chunked' } };
      const answer = await devices.post(
        speaker(path),
        path,
        `{"event_id":"${'x'.repeat(10_000_000)}"}`,
        chunked,
      );
      expectProblem(answer, 413, 'body_too_large');
    });

    it('lets a client that reads last read why its body is refused', async () => {
      const { port } = devices.app.getHttpServer().address() as AddressInfo;
      for (const connection of ['close', 'keep-alive']) {
        const socket = connect(port, '127.0.0.1');
        socket.pause();
        const head = [
          `POST ${path} HTTP/1.1`,
          `host: a\r\nconnection: ${connection}\r\ncontent-type: application/json`,
          `authorization: Bearer ${speaker(path).token}\r\ncontent-length: 10000000\r\n\r\n`,
        ];
        socket.write(head.join('\r\n'));
        await new Promise((sent) => socket.write('x'.repeat(10_000_000), sent));
        const answer = once(socket, 'data');
        socket.resume();
        const [chunk] = (await answer) as [Buffer];
        expect(chunk.toString()).toMatch(/^HTTP\/1.1 413 [^]*body_too_large/);
        socket.destroy();
      }
    });

    it.each<[string, Record<string, string>, string]>([
      ['no token', {}, 'token_missing'],
      ['an empty token', { authorization: 'Bearer ' }, 'token_missing'],
      ['another scheme', { authorization: 'Basic d2lsbDpjcm9zcw==' }, 'token_missing'],
      ['an operator for a token', { authorization: 'Bearer {"$gt":""}' }, 'token_missing'],
      [
        'a token of nobody',
        { authorization: `Bearer pw${path === GATEWAY ? 'g' : 'b'}_${'A'.repeat(43)}` },
        'token_unknown',
      ],
      ['a token too long', { authorization: `Bearer ${'A'.repeat(5_000)}` }, 'token_missing'],
    ])('refuses %s', async (_, headers, code) => {
      const answer = await devices.post(null, path, { sent_at: at(0) }, { headers });
      expectProblem(answer, 401, code);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    });

    it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('has no %s', async (method) => {
      const headers = { authorization: `Bearer ${speaker(path).token}` };
      const answer = await devices.send(path, { method, headers });
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers['allow']).toBe('POST');
    });

    it('refuses compressed bodies unread', async () => {
      const answer = await devices.post(speaker(path), path, 'x'.repeat(10_000_000), {
        headers: { 'content-encoding': 'gzip' },
      });
      expectProblem(answer, 415, 'unsupported_encoding');
      expect(answer.headers['accept-encoding']).toBe('identity');
    });

    it('reads no body before it knows the token', async () => {
      for (const body of ['{"broken": ', 'x'.repeat(10_000_000)])
        expectProblem(await devices.post({ token: 'nobody' }, path, body), 401, 'token_unknown');
    });
  });

  it.each([
    'yesterday',
    '2026-03-02',
    '08:00',
    '2026-03-02 08:00:00Z',
    '2026-03-02T08:00:00',
    '2026-03-02T25:00:00Z',
    '',
  ])('refuses the time "%s"', async (time) => {
    const answer = await devices.post(bottle, '/v1/actions', opened(0, { time }));
    expect(['invalid_time', 'invalid_value']).toContain(answer.body.code);
    expectProblem(answer, 400, answer.body.code, 'time');
  });

  it.each([
    ['/', 404, 'route_not_found'],
    ['/v1', 404, 'route_not_found'],
    ['/v1/heartbeats/', 404, 'route_not_found'],
    ['/v1/heartbeats/0123456789abcdef01234567', 404, 'route_not_found'],
    ['/v1/bottles', 404, 'route_not_found'],
    ['/v1/../v1/actions', 404, 'route_not_found'],
    ['/v1/%ZZ', 400, 'malformed_url'],
    ['/%00', 404, 'route_not_found'],
  ] as const)('knows no address %s', async (path, status, code) =>
    expectProblem(await devices.post(bottle, path, {}), status, code),
  );

  it('refuses a token that was replaced', async () => {
    const other = await devices.register();
    const token = await devices.rotate(other);
    before = await devices.stored();
    for (const path of ROUTES.filter((each) => each !== GATEWAY)) {
      expectProblem(await devices.post(other, path, { items: [] }), 401, 'token_revoked');
    }
    expect(await devices.stored()).toBe(before);
    expect((await devices.post({ token }, '/v1/heartbeats')).status).toBe(204);
    before = await devices.stored();
  });
});
