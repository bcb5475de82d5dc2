import { HOUR_MS, MINUTE_MS, DAY_MS } from '#domain';
import { BottleActionsRepository } from '#persistence';
import { Devices, at, closed, NOW, opened, type RegisteredBottle } from './devices.js';

describe('reports', () => {
  let devices: Devices;
  let bottle: RegisteredBottle;

  beforeAll(async () => {
    devices = await Devices.start('reports');
  });
  afterAll(() => devices.stop());
  beforeEach(async () => {
    devices.clock.set(NOW);
    bottle = await devices.register();
  });

  describe('heartbeats', () => {
    it.each<[string, unknown, Record<string, string>]>([
      ['no body', undefined, {}],
      ['no body, but its type', undefined, { 'content-type': 'application/json' }],
      ['an empty body', '', { 'content-type': 'application/json', 'content-length': '0' }],
      ['an empty object', {}, {}],
      ['a charset', '{}', { 'content-type': 'application/json; charset=utf-8' }],
      ['a body', { sent_at: at(0), battery_percent: 80 }, {}],
    ])('with %s is stored', async (_, body, headers) => {
      const answer = await devices.post(bottle, '/v1/heartbeats', body, { headers });
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
      expect(await devices.heartbeats(bottle)).toMatchObject([{ time: NOW }]);
      expect(await devices.state(bottle)).toMatchObject({
        last_heard_at: NOW,
        silent_at: new Date(NOW.getTime() + HOUR_MS),
      });
    });

    it('stores the vitals in the log alone', async () => {
      const vitals = { battery_percent: 55.5, rssi_dbm: -71, mass_of_contents: 44.25, number_of_pills: 30 };
      await devices.post(bottle, '/v1/heartbeats', vitals);
      const [heartbeat] = await devices.heartbeats(bottle);
      expect(heartbeat).toMatchObject({ ...vitals, user_id: 'willcross1024', medication: 'Cordrazine' });
      const state = await devices.state(bottle);
      expect(state).not.toHaveProperty('vitals');
      expect(state).not.toHaveProperty('quiet');
    });

    it('takes the repeated one for what it is', async () => {
      for (let time = 0; time < 3; time += 1) {
        expect((await devices.post(bottle, '/v1/heartbeats', { sent_at: at(0) })).status).toBe(204);
        devices.clock.advance(1_000);
      }
      expect(await devices.heartbeats(bottle)).toHaveLength(1);
    });

    it('keeps two of one moment that say different things', async () => {
      const items = [10, 20].map((battery_percent) => ({ type: 'heartbeat', battery_percent }));
      await devices.post(bottle, '/v1/batch', { items: [...items, ...items] });
      expect(await devices.heartbeats(bottle)).toHaveLength(2);
    });

    it.each(['2026-03-02t08:00:00z', '0001-01-01T00:00:00Z'])(
      'with the time %s is stored',
      async (sent_at) => {
        expect((await devices.post(bottle, '/v1/heartbeats', { sent_at })).status).toBe(204);
      },
    );

    it('from a clock before 1970 is stored', async () => {
      expect((await devices.post(bottle, '/v1/heartbeats', { sent_at: '1969-12-31T23:00:00Z' })).status).toBe(
        204,
      );
      expect(await devices.heartbeats(bottle)).toMatchObject([{ time: NOW }]);
    });
  });

  describe('actions', () => {
    it.each([
      ['with a name of its own', { event_id: 'boot-7/event-12' }],
      ['without a name', {}],
    ])('%s is stored once, whatever way it comes', async (_, named) => {
      const action = closed(-MINUTE_MS, named);
      const first = await devices.post(bottle, '/v1/actions', action);
      expect(first).toMatchObject({ status: 201, body: { duplicate: false } });
      const { id } = first.body;
      const before = await devices.stored();
      const again = await devices.post(bottle, '/v1/actions', action);
      expect(again).toMatchObject({ status: 200, body: { id, duplicate: true } });
      const inBatch = await devices.post(bottle, '/v1/batch', { items: [{ type: 'action', ...action }] });
      expect(inBatch.body.results).toEqual([{ status: 200, id }]);
      expect(await devices.stored()).toBe(before);
      expect((await devices.actions(bottle)).map(({ _id }) => _id.toHexString())).toEqual([id]);
    });

    it('refuses the name of one event for another, and changes nothing', async () => {
      await devices.post(bottle, '/v1/actions', opened(-2 * MINUTE_MS, { event_id: 'e' }));
      devices.clock.advance(MINUTE_MS);
      const before = await devices.stored();
      const other = closed(-MINUTE_MS, { event_id: 'e' });
      const answer = await devices.post(bottle, '/v1/actions', other);
      expect(answer).toMatchObject({ status: 409, body: { code: 'event_id_conflict', field: 'event_id' } });
      const inBatch = await devices.post(bottle, '/v1/batch', { items: [{ type: 'action', ...other }] });
      expect(inBatch.body.results).toMatchObject([{ status: 409, code: 'event_id_conflict' }]);
      expect(await devices.stored()).toBe(before);
    });

    // a factory reset: the device counts its event ids again, and may be where it was weeks ago
    it.each([
      ['the same event', closed, 20 * DAY_MS],
      ['another event', opened, 20 * DAY_MS],
      ['an event of a day later', closed, DAY_MS],
    ])('takes a name that comes again for %s for another event, once', async (_, next, later) => {
      const first = await devices.post(bottle, '/v1/actions', closed(-MINUTE_MS, { event_id: '1' }));
      devices.clock.advance(later);
      const action = next(later - MINUTE_MS, { event_id: '1' });
      const copies = await Promise.all([1, 2, 3].map(() => devices.post(bottle, '/v1/actions', action)));
      const ids = new Set(copies.map(({ body }) => body.id));
      expect(copies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(copies.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(ids.size).toBe(1);
      expect(ids).not.toContain(first.body.id);
      const inBatch = await devices.post(bottle, '/v1/batch', { items: [{ type: 'action', ...action }] });
      expect(inBatch.body.results).toEqual([{ status: 200, id: [...ids][0] }]);
      // the time may be corrected between two attempts, and the first event may come again, too
      for (const time of [at(later), at(later - 10 * HOUR_MS)])
        expect((await devices.post(bottle, '/v1/actions', { ...action, time })).body.duplicate).toBe(true);
      const late = await devices.post(bottle, '/v1/actions', closed(-MINUTE_MS, { event_id: '1' }));
      expect(late.body).toEqual({ id: first.body.id, duplicate: true });
      const conflict = await devices.post(bottle, '/v1/actions', { ...action, number_of_pills: 3 });
      expect(conflict).toMatchObject({ status: 409, body: { code: 'event_id_conflict' } });
      expect(await devices.actions(bottle)).toHaveLength(2);
    });

    it('takes the same bytes for one event, however long after: their sent_at is old by then', async () => {
      const action = closed(-MINUTE_MS, { event_id: '1', sent_at: at(0) });
      await devices.post(bottle, '/v1/actions', action);
      devices.clock.advance(3 * DAY_MS);
      expect((await devices.post(bottle, '/v1/actions', action)).body.duplicate).toBe(true);
      expect(await devices.actions(bottle)).toHaveLength(1);
    });

    it('takes the same name from two bottles for two events', async () => {
      const other = await devices.register();
      for (const one of [bottle, other])
        expect((await devices.post(one, '/v1/actions', opened(0, { event_id: 'e' }))).status).toBe(201);
    });

    it('a late one changes the history and never the present', async () => {
      await devices.post(bottle, '/v1/actions', opened(-2 * MINUTE_MS));
      const { last_action, open, open_overdue_at } = await devices.state(bottle);
      expect({ open, open_overdue_at }).toEqual({ open: true, open_overdue_at: new Date(at(3 * MINUTE_MS)) });
      await devices.post(bottle, '/v1/actions', closed(-3 * HOUR_MS));
      const state = await devices.state(bottle);
      expect(state).toMatchObject({ last_action, open, open_overdue_at });
      // but it must still be judged: a removal counts whenever it is received
      expect(state['unjudged_removals']).toMatchObject([{ time: new Date(at(-3 * HOUR_MS)) }]);
      expect(await devices.actions(bottle)).toHaveLength(2);
    });

    it.each([
      ['opened, closed', [opened(-MINUTE_MS), closed(-MINUTE_MS)]],
      ['closed, opened', [closed(-MINUTE_MS), opened(-MINUTE_MS)]],
    ])('of two in one second the closing is the later: %s', async (_, both) => {
      for (const one of both) await devices.post(bottle, '/v1/actions', one);
      const state = await devices.state(bottle);
      expect(state['last_action']).toMatchObject({ action: 'closed' });
      expect(state).not.toHaveProperty('open');
      expect(state).not.toHaveProperty('open_overdue_at');
    });

    it.each([0, 1])(
      'of two openings in one second the state and the log agree on the last (%d first)',
      async (first) => {
        const both = [opened(-MINUTE_MS), opened(-MINUTE_MS, { number_of_pills: 12 })];
        for (const one of [both[first], both[1 - first]]) await devices.post(bottle, '/v1/actions', one);
        const newest = await devices.app.get(BottleActionsRepository).findNewest(bottle._id);
        expect((await devices.state(bottle))['last_action']).toMatchObject({
          id: newest!._id,
          number_of_pills: newest!.number_of_pills,
        });
      },
    );
  });

  describe('clocks', () => {
    it.each([
      ['hours behind', -5 * HOUR_MS],
      ['hours ahead', 5 * HOUR_MS],
      ['in 1970', -NOW.getTime() + 90 * 1_000],
      ['in 2100', 74 * 365 * 24 * HOUR_MS],
      ['just out of tolerance', 2 * MINUTE_MS + 1],
    ])('a clock %s is corrected, its time kept', async (_, offset) => {
      const sent_at = at(offset);
      await devices.post(bottle, '/v1/actions', opened(offset - 10 * MINUTE_MS, { sent_at }));
      expect(await devices.actions(bottle)).toMatchObject([
        {
          time: new Date(at(-10 * MINUTE_MS)),
          device_time: new Date(at(offset - 10 * MINUTE_MS)),
          received_at: NOW,
        },
      ]);
      expect((await devices.state(bottle))['bad_clock']).toEqual({ offset_ms: offset, at: NOW });
    });

    it('corrects every item of a batch by the batch’s clock', async () => {
      const items = [opened(HOUR_MS - 9 * MINUTE_MS), closed(HOUR_MS - 8 * MINUTE_MS)].map((one) => ({
        type: 'action',
        ...one,
      }));
      await devices.post(bottle, '/v1/batch', { sent_at: at(HOUR_MS), items });
      expect((await devices.actions(bottle)).map(({ time }) => time)).toEqual([
        new Date(at(-9 * MINUTE_MS)),
        new Date(at(-8 * MINUTE_MS)),
      ]);
    });

    it.each([-2 * MINUTE_MS, -1, 0, 2 * MINUTE_MS])(
      'a clock that is %d ms off is left alone',
      async (offset) => {
        await devices.post(bottle, '/v1/actions', opened(-HOUR_MS, { sent_at: at(offset) }));
        const [action] = await devices.actions(bottle);
        expect(action).toMatchObject({ time: new Date(at(-HOUR_MS)) });
        expect(action).not.toHaveProperty('device_time');
        expect(await devices.state(bottle)).not.toHaveProperty('bad_clock');
      },
    );

    it('takes an event of the future for one of now', async () => {
      await devices.post(bottle, '/v1/actions', opened(3 * HOUR_MS));
      expect(await devices.actions(bottle)).toMatchObject([
        { time: NOW, device_time: new Date(at(3 * HOUR_MS)) },
      ]);
    });

    it('never lets a device clock decide when a bottle was last seen', async () => {
      await devices.post(bottle, '/v1/actions', opened(-5 * HOUR_MS, { sent_at: at(-5 * HOUR_MS) }));
      expect(await devices.state(bottle)).toMatchObject({ last_heard_at: NOW });
    });
  });

  describe('batches', () => {
    it('answers each item in its place, as it would have been answered alone', async () => {
      await devices.post(bottle, '/v1/actions', opened(-5 * MINUTE_MS, { event_id: 'known' }));
      const items = [
        { type: 'action', ...closed(-4 * MINUTE_MS) },
        { type: 'action', ...opened(-3 * MINUTE_MS, { pills_taken: 1 }) },
        { type: 'heartbeat', sent_at: at(-HOUR_MS) },
        null,
        { type: 'action', ...opened(-5 * MINUTE_MS, { event_id: 'known' }) },
        { type: 'heartbeat', battery_percent: 'full' },
        { type: 'action', ...closed(-4 * MINUTE_MS) },
        { type: 'action', ...closed(-4 * MINUTE_MS, { event_id: 'known' }) },
        { type: 'action', ...opened(0, { time: '1970-01-01T00:00:00Z' }) },
      ];
      const { status, body } = await devices.post(bottle, '/v1/batch', { items });
      expect(status).toBe(200);
      expect(body.results).toMatchObject([
        { status: 201, id: expect.stringMatching(/^[0-9a-f]{24}$/) },
        { status: 201, ignored: [{ field: 'pills_taken', reason: 'forbidden_field' }] },
        { status: 204 },
        { status: 400, code: 'invalid_type' },
        { status: 200 },
        { status: 204, ignored: [{ field: 'battery_percent', reason: 'invalid_type' }] },
        { status: 200, id: body.results[0].id },
        { status: 409, code: 'event_id_conflict', field: 'event_id' },
        { status: 400, code: 'time_out_of_range', field: 'time' },
      ]);
      expect(await devices.actions(bottle)).toHaveLength(3);
      expect(await devices.heartbeats(bottle)).toHaveLength(2);
    });

    it('takes the largest backlog there may be', async () => {
      const items = Array.from({ length: 500 }, (_, index) => ({
        type: 'action',
        ...closed(-index * 1_000),
      }));
      const { body } = await devices.post(bottle, '/v1/batch', { items });
      expect(body.results).toHaveLength(500);
      expect(new Set(body.results.map(({ status }: { status: number }) => status))).toEqual(new Set([201]));
      expect(await devices.actions(bottle)).toHaveLength(500);
    });
  });
});
