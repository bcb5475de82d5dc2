import { MINUTE_MS, type ReportProblem } from '#domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { ODD_ACTIONS, ODD_HEARTBEATS, PLAIN_REPORTS } from './bad-reports.js';
import { closed, Devices, opened, type RegisteredBottle } from './devices.js';

const unknownFields = (count: number, start = 0): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${start + index}`, index]));

// a bottle cannot read errors: what cannot be meant costs the field, never the report
describe('odd reports are stored without what cannot be meant', () => {
  let devices: Devices;
  let bottle: RegisteredBottle;
  let gateway: { token: string };

  beforeAll(async () => {
    devices = await Devices.start('odd-reports');
    bottle = await devices.register();
    gateway = await devices.gateway(bottle);
  });
  afterAll(() => devices.stop());
  beforeEach(() => devices.clock.advance(MINUTE_MS));

  it.each(ODD_ACTIONS)('an action with %s', async (_, body, reason, field) => {
    const { status, body: answer } = await devices.post(bottle, '/v1/actions', body);
    expect([200, 201]).toContain(status);
    expect(answer.ignored).toEqual([{ field, reason }]);
    // the same in a batch, which is a retry
    const item = { type: 'action', ...body };
    const batch = await devices.post(bottle, '/v1/batch', { items: [item, { type: 'greeting' }] });
    expect(batch.body.results).toMatchObject([
      { status: 200, id: answer.id, ignored: [{ field, reason }] },
      { status: 400 },
    ]);
  });

  it.each(ODD_HEARTBEATS)('a heartbeat with %s', async (_, body, reason, field) => {
    const alone = await devices.post(bottle, '/v1/heartbeats', body);
    expect(alone).toMatchObject({ status: 200, body: { ignored: [{ field, reason }] } });
    const items = [{ type: 'heartbeat', bottle_id: bottle.id, ...body }];
    const batch = await devices.post(gateway, '/v1/gateway/batch', { items });
    expect(batch.body.results).toEqual([{ status: 204, ignored: [{ field, reason }] }]);
  });

  it.each(PLAIN_REPORTS)('an action %s has nothing to ignore', async (_, body) => {
    const { status, body: answer } = await devices.post(bottle, '/v1/actions', body);
    expect([200, 201]).toContain(status);
    expect(answer).not.toHaveProperty('ignored');
  });

  it('a batch whose sent_at cannot be meant is taken by its items, and says so', async () => {
    const one = await devices.register();
    const batch = { sent_at: 'soon', version: 2, items: [{ type: 'heartbeat' }] };
    const ignored = [
      { field: 'sent_at', reason: 'invalid_time' },
      { field: 'version', reason: 'unknown_field' },
    ];
    expect((await devices.post(one, '/v1/batch', batch)).body).toEqual({
      results: [{ status: 204 }],
      ignored,
    });
    expect(await devices.problems(one, 2)).toMatchObject([
      { effect: 'ignored', field: 'version', value_kind: 'number', count: 1 },
      { effect: 'ignored', field: 'sent_at', value_kind: 'string', count: 1 },
    ]);
    const items = [{ type: 'heartbeat', bottle_id: bottle.id }];
    const before = await devices.ignored('sent_at');
    expect((await devices.post(gateway, '/v1/gateway/batch', { ...batch, items })).body).toEqual({
      results: [{ status: 204 }],
      ignored,
    });
    expect(await devices.ignored('sent_at')).toBe(before + 1);
  });

  it('notes on the bottle what was left out or refused: at once, then once a minute, under any name', async () => {
    const one = await devices.register();
    const since = devices.clock.now();
    const odd = { battery_percent: 255, $where: 1, 'a.b': null };
    await devices.post(one, '/v1/heartbeats', odd);
    await devices.post(one, '/v1/actions', opened(0, { time: 'yesterday' }));
    const kinds = (problems: ReportProblem[]) =>
      problems
        .map(({ effect, field, reason, value_kind, count }) =>
          [effect, field, reason, value_kind, count].join(' '),
        )
        .toSorted((a, b) => a.localeCompare(b));
    expect(kinds(await devices.problems(one, 4))).toEqual([
      'ignored $where unknown_field number 1',
      'ignored a.b unknown_field null 1',
      'ignored battery_percent out_of_range number 1',
      'refused time invalid_time string 1',
    ]);
    devices.clock.advance(MINUTE_MS - 1);
    for (let times = 0; times < 3; times += 1) await devices.post(one, '/v1/heartbeats', odd);
    const items = [{ type: 'action', action: 'opened' }, { type: 'heartbeat' }];
    expect((await devices.post(one, '/v1/batch', { items })).body.results[0].status).toBe(400);
    expect(kinds(await devices.problems(one, 5))).toContain('ignored $where unknown_field number 1');
    devices.clock.advance(1);
    const battery = async () =>
      (await devices.problems(one, 5)).find(({ field }) => field === 'battery_percent')!;
    while ((await battery()).count === 1) await sleep(20);
    expect(await battery()).toMatchObject({
      count: 4,
      first_at: since,
      last_at: new Date(since.getTime() + MINUTE_MS - 1),
    });
  });

  it('notes what else is wrong beside a report of many fields that are not known', async () => {
    const one = await devices.register();
    await devices.post(one, '/v1/heartbeats', unknownFields(32));
    await devices.post(one, '/v1/actions', closed(0, { event_id: 'one', pills_taken: 255 }));
    await devices.post(one, '/v1/actions', opened(0, { event_id: 'one' }));
    const items = [{ type: 'action', ...opened(0, { time: 'yesterday' }) }, { type: 'lid' }];
    await devices.post(one, '/v1/batch', { items });
    const noted = (await devices.problems(one, 14)).map(({ effect, field }) => `${effect} ${field}`);
    expect(noted.toSorted((a, b) => a.localeCompare(b))).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `ignored f${index}`),
      'ignored pills_taken',
      'refused event_id',
      'refused time',
      'refused type',
    ]);
  });

  it('keeps of a bottle the 30 problems that were noted last, and says what a gateway sends of it', async () => {
    const one = await devices.register();
    const hub = await devices.gateway(one);
    for (const start of [0, 10]) {
      await devices.post(one, '/v1/heartbeats', unknownFields(10, start));
      await devices.problems(one, start + 10);
      devices.clock.advance(2 * MINUTE_MS);
    }
    const items = [
      { type: 'heartbeat', bottle_id: one.id, ...unknownFields(10, 20) },
      { type: 'lid', bottle_id: one.id },
    ];
    const named = async () =>
      (await devices.problems(one, 20)).map(({ effect, field }) => `${effect} ${field}`);
    while (!(await named()).includes('refused type')) {
      await devices.post(hub, '/v1/gateway/batch', { items });
      await sleep(20);
    }
    expect(await named()).toHaveLength(30);
  });

  it('counts every refused report', async () => {
    const refused = (code: string) => devices.refused(code);
    const codes = [
      'route_not_found',
      'invalid_time',
      'token_unknown',
      'malformed_json',
      'bottle_not_assigned',
      'missing_field',
    ];
    const before = await Promise.all(codes.map(refused));
    const other = await devices.register();
    await devices.post(bottle, '/v1/actions', opened(0, { time: 'yesterday' }));
    await devices.post({ token: `pwb_${'x'.repeat(43)}` }, '/v1/heartbeats');
    await devices.post(bottle, '/v1/heartbeats', '{');
    await devices.post(gateway, '/v1/gateway/batch', {
      items: [
        { type: 'heartbeat', bottle_id: other.id },
        { type: 'action', bottle_id: bottle.id, action: 'opened' },
      ],
    });
    await devices.send('/v1/nothing', { method: 'POST' });
    expect(await Promise.all(codes.map(refused))).toEqual(before.map((count) => count + 1));
    const { text } = await devices.get('/metrics');
    expect(text).toContain('pillwatch_reports_total{type="action",result="missing_field"}');
    expect(text).toContain('pillwatch_reports_total{type="heartbeat",result="bottle_not_assigned"}');
  });

  it('takes times without a zone by a clock without one, also in a batch', async () => {
    const one = await devices.register();
    const now = devices.clock.now().getTime();
    const local = (ms: number) => new Date(now + 2 * 60 * MINUTE_MS + ms).toISOString().slice(0, 19);
    const alone = opened(0, { time: local(-MINUTE_MS), sent_at: local(0) });
    expect((await devices.post(one, '/v1/actions', alone)).status).toBe(201);
    const items = [
      { type: 'action', ...opened(0, { time: local(-3 * MINUTE_MS) }) },
      { type: 'action', ...opened(0, { time: new Date(now - 5 * MINUTE_MS).toISOString() }) },
    ];
    const batch = await devices.post(one, '/v1/batch', { sent_at: local(0), items });
    expect(batch.body).toMatchObject({
      results: [{ status: 201 }, { status: 201 }],
      // of a time with a zone, a clock without one corrects nothing
      ignored: [{ field: 'sent_at', reason: 'invalid_time' }],
    });
    const again = { sent_at: local(0), items: [items[0], { type: 'heartbeat' }] };
    expect((await devices.post(one, '/v1/batch', again)).body).toEqual({
      results: [expect.objectContaining({ status: 200 }), { status: 204 }],
    });
    expect((await devices.actions(one)).map(({ time }) => (time as Date).getTime() - now)).toEqual([
      -5 * MINUTE_MS,
      -3 * MINUTE_MS,
      -MINUTE_MS,
    ]);
    const zoned = { sent_at: devices.clock.now().toISOString(), items: items.slice(0, 1) };
    expect((await devices.post(one, '/v1/batch', zoned)).body.results).toMatchObject([
      { status: 400, code: 'invalid_time' },
    ]);
  });

  it('says of a time of 1970 whether the clock at sending is missing', async () => {
    const detail = async (more: object) =>
      (await devices.post(bottle, '/v1/actions', opened(0, { time: '1970-01-01T00:00:00Z', ...more }))).body
        .detail as string;
    expect(await detail({})).toContain('send sent_at');
    const sent_at = devices.clock.now().toISOString();
    expect(await detail({ sent_at })).toContain('by the clock of sent_at, too');
  });

  it('knows a heartbeat again by a clock without a zone, also in a batch', async () => {
    const one = await devices.register();
    const hour = 60 * MINUTE_MS;
    const sent_at = new Date(devices.clock.now().getTime() + 2 * hour).toISOString().slice(0, 19);
    for (let times = 0; times < 2; times += 1)
      expect((await devices.post(one, '/v1/heartbeats', { sent_at })).status).toBe(204);
    const batch = { sent_at, items: [{ type: 'heartbeat', sent_at }] };
    expect((await devices.post(one, '/v1/batch', batch)).body).toEqual({ results: [{ status: 204 }] });
    expect(await devices.heartbeats(one)).toHaveLength(1);
    expect(await devices.state(one)).toMatchObject({ bad_clock: { offset_ms: 2 * hour } });
  });

  it('counts what it leaves out by our fields, and all others together', async () => {
    const before = await devices.ignored('unknown');
    await devices.post(bottle, '/v1/actions', opened(0, { firmware: '1.3', colour: 'blue' }));
    expect(await devices.ignored('unknown')).toBe(before + 2);
    expect((await devices.get('/metrics')).text).not.toContain('firmware');
  });
});
