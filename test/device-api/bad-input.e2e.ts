import { MAX_BATCH_ITEMS } from '../../apps/device-api/src/batch/batch.dto.js';
import { BAD_ACTIONS, BAD_HEARTBEATS } from './bad-reports.js';
import { at, Devices, MINUTE, opened, type Answer, type RegisteredBottle, type Sent } from './devices.js';

let devices: Devices;
let bottle: RegisteredBottle;
let before: string;

beforeAll(async () => {
  devices = await Devices.start('bad-input');
  bottle = await devices.register();
  // something to spoil: a log, a last action, vitals
  await devices.post(bottle, '/v1/actions', opened(-60 * MINUTE, { event_id: 'first' }));
  await devices.post(bottle, '/v1/heartbeats', { battery_percent: 80 });
  // a report that is let through by mistake moves last_heard_at
  devices.clock.advance(MINUTE);
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

it.each([
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
  ['a null', null, 'invalid_type', undefined],
  ['a list', [], 'invalid_type', undefined],
  ['a number', 7, 'invalid_type', undefined],
] as [string, unknown, string, string | undefined][])(
  'a batch with %s is taken, and the item refused',
  async (_, item, code, field) => {
    const answer = await devices.post(bottle, '/v1/batch', { items: [item] });
    expect(answer).toMatchObject({
      status: 200,
      body: { results: [{ status: statusOf(code), code, detail: expect.any(String) }] },
    });
    expect(answer.body.results[0].field).toBe(field);
  },
);

it.each<[string, unknown, string, string]>([
  ['no items', {}, 'missing_field', 'items'],
  ['an empty list of items', { items: [] }, 'out_of_range', 'items'],
  [
    'one item too many',
    { items: Array.from({ length: MAX_BATCH_ITEMS + 1 }, () => ({ type: 'heartbeat' })) },
    'too_many_items',
    'items',
  ],
  ['an object for items', { items: { type: 'heartbeat' } }, 'invalid_type', 'items'],
  ['text for items', { items: 'heartbeat' }, 'invalid_type', 'items'],
  ['null for items', { items: null }, 'invalid_type', 'items'],
  ['a malformed sent_at', { sent_at: {}, items: [{ type: 'heartbeat' }] }, 'invalid_type', 'sent_at'],
  [
    'a bottle’s id',
    { bottle_id: '0123456789abcdef01234567', items: [{ type: 'heartbeat' }] },
    'unknown_field',
    'bottle_id',
  ],
])('a batch with %s is refused', async (_, body, code, field) =>
  expectProblem(await devices.post(bottle, '/v1/batch', body), 400, code, field),
);

const ROUTES = ['/v1/heartbeats', '/v1/actions', '/v1/batch'];

describe.each(ROUTES)('POST %s', (path) => {
  it.each<[string, string, number, string, string?]>([
    ['broken JSON', '{"sent_at": ', 400, 'malformed_json'],
    ['text after the JSON', '{} {}', 400, 'malformed_json'],
    ['NaN', '{"battery_percent":NaN}', 400, 'malformed_json'],
    ['Infinity', '{"battery_percent":-Infinity}', 400, 'malformed_json'],
    ['a field of every prototype', '{"__proto__":{"action":"opened"}}', 400, 'malformed_json'],
    ['a constructor with a prototype', '{"constructor":{"prototype":{"a":1}}}', 400, 'malformed_json'],
    ['a constructor', '{"constructor":1}', 400, 'unknown_field', 'constructor'],
    ['a method of every object', '{"toString":1}', 400, 'unknown_field', 'toString'],
    ['hasOwnProperty', '{"hasOwnProperty":1}', 400, 'unknown_field', 'hasOwnProperty'],
    ['a method in an item', '{"items":[{"valueOf":1}]}', 400, 'unknown_field', 'items[0].valueOf'],
    ['lists in lists', `{"sent_at":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 400, 'too_deeply_nested'],
    ['10 MB', JSON.stringify({ event_id: 'x'.repeat(10_000_000) }), 413, 'body_too_large'],
  ])('refuses %s', async (_, body, status, code, ...[field]) =>
    expectProblem(await devices.post(bottle, path, body), status, code, field),
  );

  it.each(['[]', '"heartbeat"', '7', 'true'])('refuses %s for a body', async (body) => {
    const answer = await devices.post(bottle, path, body);
    expectProblem(answer, 400, answer.body.code, answer.body.field);
  });

  it('refuses a number beyond all numbers', async () => {
    const items = '{"items":[{"type":"heartbeat","mass_of_contents":1e999}]}';
    const action = JSON.stringify({ ...opened(0), mass_of_contents: 0 }).replace(':0,', ':1e999,');
    const body = {
      '/v1/heartbeats': '{"mass_of_contents":1e999}',
      '/v1/actions': action,
      '/v1/batch': items,
    }[path]!;
    const { status, body: answer } = await devices.post(bottle, path, body);
    const refused = path === '/v1/batch' ? answer.results[0] : { ...answer, status };
    expect(refused).toMatchObject({ status: 400, code: 'invalid_type', field: 'mass_of_contents' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'json', 'garbage; charset'])(
    'refuses content of type %s',
    async (type) =>
      expectProblem(
        await devices.post(bottle, path, '{}', { headers: { 'content-type': type } }),
        415,
        'unsupported_media_type',
      ),
  );

  it('refuses 10 MB that do not say how many they are', async () => {
    const chunked: Sent = { headers: { 'transfer-encoding': 'chunked' } };
    const answer = await devices.post(bottle, path, `{"event_id":"${'x'.repeat(10_000_000)}"}`, chunked);
    expectProblem(answer, 413, 'body_too_large');
  });

  it.each<[string, Record<string, string>, string]>([
    ['no token', {}, 'token_missing'],
    ['an empty token', { authorization: 'Bearer ' }, 'token_missing'],
    ['another scheme', { authorization: 'Basic d2lsbDpjcm9zcw==' }, 'token_missing'],
    ['an operator for a token', { authorization: 'Bearer {"$gt":""}' }, 'token_missing'],
    ['a token of nobody', { authorization: `Bearer pwb_${'A'.repeat(43)}` }, 'token_unknown'],
    ['a token too long', { authorization: `Bearer ${'A'.repeat(5_000)}` }, 'token_missing'],
  ])('refuses %s', async (_, headers, code) => {
    const answer = await devices.post(null, path, { sent_at: at(0) }, { headers });
    expectProblem(answer, 401, code);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('has no %s', async (method) => {
    const headers = { authorization: `Bearer ${bottle.token}` };
    expectProblem(await devices.send(path, { method, headers }), 404, 'route_not_found');
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
  for (const path of ROUTES) {
    expectProblem(await devices.post(other, path, { items: [] }), 401, 'token_revoked');
  }
  expect(await devices.stored()).toBe(before);
  expect((await devices.post({ token }, '/v1/heartbeats')).status).toBe(204);
  before = await devices.stored();
});
