import { HOUR_MS } from '#domain';
import { testBottle } from './testing.js';
import { DeviceClock } from './device-clock.js';

it('sends a fresh report alone, with the clock at sending', async () => {
  const { bottle, api, acks, stats, advance } = testBottle();
  bottle.openLid();
  await advance(0);
  bottle.heartbeat();
  await advance(0);
  expect(api.calls.map(({ path }) => path)).toEqual(['actions', 'heartbeats']);
  expect(api.calls[0]!.body).toEqual({
    action: 'opened',
    time: '2026-03-02T12:00:00.000Z',
    sent_at: '2026-03-02T12:00:00.000Z',
    event_id: 'e1',
    mass_of_contents: 15,
    number_of_pills: 30,
  });
  expect(acks).toEqual([
    {
      bottle_id: 'b1',
      type: 'action',
      status: 201,
      id: 'id-e1',
      event_id: 'e1',
      time: '2026-03-02T12:00:00.000Z',
    },
    { bottle_id: 'b1', type: 'heartbeat', status: 204, time: '2026-03-02T12:00:00.000Z' },
  ]);
  expect(stats.snapshot()).toMatchObject({
    acknowledged: 2,
    backlog: 0,
    requests: 2,
    retried: 0,
    refused: 0,
  });
});

it('keeps everything while it is offline, and sends it as one batch with sent_at', async () => {
  const { bottle, api, acks, stats, advance } = testBottle();
  bottle.outbox.setOnline(false);
  bottle.heartbeat();
  await advance(HOUR_MS);
  bottle.take(1, 10);
  await advance(100);
  expect(api.calls).toEqual([]);
  expect(stats.snapshot()).toMatchObject({ backlog: 3, offline: 1, acknowledged: 0 });
  bottle.outbox.setOnline(true);
  await advance(0);
  expect(api.calls).toHaveLength(1);
  expect(api.calls[0]).toMatchObject({
    path: 'batch',
    body: {
      sent_at: '2026-03-02T13:00:00.100Z',
      items: [
        { type: 'heartbeat', sent_at: '2026-03-02T12:00:00.000Z' },
        { type: 'action', action: 'opened', time: '2026-03-02T13:00:00.000Z' },
        { type: 'action', action: 'closed', pills_taken: 1, number_of_pills: 29 },
      ],
    },
  });
  expect(acks.map(({ status }) => status)).toEqual([204, 201, 201]);
  expect(stats.snapshot()).toMatchObject({ backlog: 0, offline: 0 });
});

it('sends at most 500 items in a batch, and the rest after it', async () => {
  const { bottle, api, advance } = testBottle();
  bottle.outbox.setOnline(false);
  for (let count = 0; count < 1001; count += 1) bottle.heartbeat();
  bottle.outbox.setOnline(true);
  await advance(0);
  await advance(0);
  const sizes = api.calls.map((call) => (call.path === 'batch' ? call.body.items.length : 1));
  expect(sizes).toEqual([500, 500, 1]);
});

describe.each([
  [
    '503 with Retry-After',
    { status: 503, code: 'database_unavailable', retryAfter: '5' },
    'database_unavailable',
    4_900,
  ],
  ['429 with Retry-After', { status: 429, code: 'rate_limited', retryAfter: '20' }, 'rate_limited', 19_900],
  ['500', { status: 500, code: 'internal_error' }, 'internal_error', 200],
  ['no answer', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), 'ECONNRESET', 200],
])('%s', (_, failure, code, notBefore) => {
  it('is tried again with the same event_id, not too early, and not acknowledged before', async () => {
    const { bottle, api, acks, stats, advance } = testBottle();
    api.next.push(failure);
    bottle.openLid();
    await advance(notBefore);
    expect(api.calls).toHaveLength(1);
    expect(acks).toEqual([]);
    expect(stats.snapshot()).toMatchObject({ backlog: 1, retried: 1, errors: { [code]: 1 } });
    await advance(notBefore + 600);
    expect(api.calls.map(({ body }) => body)).toMatchObject([{ event_id: 'e1' }, { event_id: 'e1' }]);
    expect(acks).toHaveLength(1);
    expect(stats.snapshot()).toMatchObject({ backlog: 0, acknowledged: 1 });
  });
});

it('keeps of a batch only what may succeed later', async () => {
  const { bottle, api, acks, stats, advance } = testBottle();
  bottle.outbox.setOnline(false);
  for (let count = 0; count < 3; count += 1) bottle.heartbeat();
  api.nextResults = [
    { status: 204 },
    { status: 503, code: 'not_stored' },
    { status: 400, code: 'invalid_value' },
  ];
  bottle.outbox.setOnline(true);
  await advance(0);
  expect(acks).toHaveLength(1);
  expect(stats.snapshot()).toMatchObject({
    backlog: 1,
    refused: 1,
    errors: { not_stored: 1, invalid_value: 1 },
  });
  expect(stats.refusals[0]).toMatchObject({ bottle_id: 'b1', result: { status: 400 } });
  await advance(1_000);
  expect(acks).toHaveLength(2);
});

it('sends what is old as a batch even alone: its sent_at is not the clock at sending', async () => {
  const { bottle, api, advance } = testBottle();
  api.next.push({ status: 503, code: 'database_unavailable', retryAfter: '90' });
  bottle.heartbeat();
  await advance(140_000);
  expect(api.calls[1]).toMatchObject({
    path: 'batch',
    body: { items: [{ sent_at: '2026-03-02T12:00:00.000Z' }] },
  });
});

it('sends an acknowledged report again, when it repeats or when the response was lost', async () => {
  const repeating = testBottle({ habits: { repeats: 1, lostAnswers: 0 } });
  repeating.bottle.openLid();
  await repeating.advance(0);
  await repeating.advance(0);
  expect(repeating.api.calls.map(({ body }) => body)).toMatchObject([{ event_id: 'e1' }, { event_id: 'e1' }]);
  expect(repeating.stats.snapshot()).toMatchObject({ acknowledged: 2, backlog: 0 });

  const losing = testBottle({ habits: { repeats: 0, lostAnswers: 1 } });
  losing.bottle.openLid();
  await losing.advance(3_000);
  expect(losing.api.calls.length).toBeGreaterThan(1);
  expect(losing.acks).toEqual([]);
  expect(losing.stats.snapshot().errors['simulated_loss']).toBe(losing.api.calls.length);
});

it('writes every time by its own clock, however wrong', async () => {
  const { bottle, api, time, acks, advance } = testBottle({
    clock: DeviceClock.resetAt(Date.parse('2026-03-02T11:00:00Z')),
  });
  bottle.openLid();
  await advance(0);
  expect(time.now().toISOString()).toBe('2026-03-02T12:00:00.000Z');
  expect(api.calls[0]!.body).toMatchObject({
    time: '1970-01-01T01:00:00.000Z',
    sent_at: '1970-01-01T01:00:00.000Z',
  });
  expect(acks[0]).toMatchObject({ time: '1970-01-01T01:00:00.000Z' });
});
