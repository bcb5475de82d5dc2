import fc from 'fast-check';
import { soakOr } from '../support/in-soak.js';
import { closed, Devices, opened, type RegisteredBottle } from './devices.js';

const RUNS = soakOr(600, 50);

let devices: Devices;
let bottle: RegisteredBottle;
let gateway: { token: string };

beforeAll(async () => {
  devices = await Devices.start('never-5xx');
  bottle = await devices.register();
  gateway = await devices.gateway(bottle);
});
afterAll(() => devices.stop());

const FIELDS = [
  ...Object.keys(closed(0)),
  'event_id',
  'sent_at',
  'battery_percent',
  'rssi_dbm',
  'items',
  'type',
  'bottle_id',
];
const GATEWAY = '/v1/gateway/batch';
const ROUTES = [
  '/v1/heartbeats',
  '/v1/actions',
  '/v1/batch',
  GATEWAY,
  '/health/live',
  '/docs/json',
  '/v1/none',
];
/** Stands for the id of the gateway's bottle, which is not known yet when bodies are described. */
const OURS = 'the bottle';

/** Times a device may mean, times it cannot, and what is none. */
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2026-03-02T08:00:00+23:59', '0000-01-01T00:00Z', '2026-03-02T08:00:00.123456789Z', ''),
);

/** What may stand in a field: right, nearly right, and anything. */
const value = fc.oneof(
  { weight: 3, arbitrary: time },
  { weight: 2, arbitrary: fc.constantFrom('opened', 'closed', 'heartbeat', 'action', 1, 0, -1, 1e308, null) },
  { weight: 2, arbitrary: fc.jsonValue() },
  fc.double(),
  fc.string({ unit: 'binary' }),
);

const fields = fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string()), value, { maxKeys: 6 });
/** A right report with some of its fields spoiled. */
const report = fc
  .tuple(
    fc.constantFrom(opened(0), closed(0), {}),
    fields,
    fc.constantFrom({}, { type: 'action' }, { type: 'heartbeat' }),
    fc.constantFrom({}, { bottle_id: OURS }),
  )
  .map(([right, spoiled, type, whose]) => ({ ...right, ...spoiled, ...type, ...whose }));
const batch = fc.record(
  { items: fc.array(fc.oneof(report, value), { maxLength: 5 }), sent_at: value },
  { requiredKeys: [] },
);

const body = fc.oneof(
  fc.oneof(report, batch, fc.jsonValue()).map((json) => JSON.stringify(json)),
  fc.string({ unit: 'binary' }),
  fc.constant(undefined),
);

/** Header values that a client can send at all. */
const headerValue = fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,40}[\x21-\x7e])?$/);
const headers = fc.record(
  {
    authorization: fc.oneof(
      headerValue,
      headerValue.map((token) => `Bearer ${token}`),
    ),
    'content-type': fc.oneof(headerValue, fc.constantFrom('application/json;charset=latin1', 'text/plain')),
    'content-encoding': headerValue,
    accept: headerValue,
    'accept-version': headerValue,
    'x-forwarded-for': headerValue,
    'x-request-id': headerValue,
    'x-http-method-override': fc.constantFrom('GET', 'DELETE'),
    origin: headerValue,
    cookie: headerValue,
  },
  { requiredKeys: [] },
);

const rarely = <T>(odd: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });

it(`no body and no headers get a 5xx from any address (${RUNS} of each)`, async () => {
  const statuses = new Map<number, number>();
  const requests = fc.record({
    path: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...ROUTES) },
      fc.webPath().map((path) => path || '/'),
    ),
    method: rarely(fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'), 'POST'),
    body,
    more: rarely<Record<string, string>>(headers as fc.Arbitrary<Record<string, string>>, {}),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ path, method, body: sent, more }) => {
      const from = path === GATEWAY ? gateway : bottle;
      const answer = await devices.post(from, path, sent?.replaceAll(OURS, bottle.id), {
        method,
        headers: more,
      });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500) throw new Error(answer.text);
      if (answer.status >= 400 && method !== 'HEAD') {
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
        expect(answer.body).toMatchObject({
          status: answer.status,
          code: expect.stringMatching(/^[a-z0-9_]+$/),
        });
      }
      // an item of a batch is answered on its own; it may not hide one either
      for (const { status } of (answer.status === 200 && answer.body?.results) || [])
        expect(status).toBeLessThan(500);
    }),
    { numRuns: RUNS * ROUTES.length },
  );
  // the bodies are not all refused at the door; single statuses are too rare to be counted on
  const count = (...wanted: number[]): number =>
    wanted.reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
  for (const some of [count(200, 201, 204), count(400), count(404)]) expect(some).toBeGreaterThan(0);
});
