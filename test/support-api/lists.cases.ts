import { Types } from 'mongoose';
import { at, insertAlerts, insertDeliveries, setState } from './fixtures.js';
import { NOW, Support } from './support.js';

describe('lists', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('lists');
  });
  beforeEach(() => support.clock.set(NOW));
  afterAll(() => support?.stop());

  const ids = (items: { id?: string; bottle_id: string }[]) => items.map((item) => item.id ?? item.bottle_id);

  it.each([
    ['alerts', '/v1/alerts', { bottle_id: '' }],
    ['notifications', '/v1/deliveries', { alert_id: '' }],
  ])('of %s leave out a record that cannot be shown, and say how many', async (_what, path, field) => {
    await insertAlerts(support, [{ subject: 'a' }, { subject: 'b' }]);
    await insertDeliveries(support, [{}, {}]);
    const name = path === '/v1/alerts' ? 'alerts' : 'deliveries';
    const records = support.database.db.collection(name);
    const [bad] = await records.find().sort({ _id: 1 }).limit(1).toArray();
    const before = (await support.get(path)).body.items.length as number;
    await records.updateOne({ _id: bad!._id }, { $unset: field });
    const { status, body } = await support.get(path);
    expect({ status, unreadable: body.unreadable, items: body.items.length }).toEqual({
      status: 200,
      unreadable: 1,
      items: before - 1,
    });
    expect((await support.get('/metrics')).text).toMatch(/^pillwatch_unreadable_records_total [1-9]/m);
    for (const each of ['alerts', 'deliveries']) await support.database.db.collection(each).deleteMany({});
  });

  describe('bottles', () => {
    const STATUS = ['late', 'open', 'silent', 'unknown', 'ok'];
    const byStatus: Record<string, string[]> = {};
    const all: string[] = [];

    beforeAll(async () => {
      const make: Record<string, (id: string) => Promise<void>> = {
        unknown: async () => undefined,
        ok: (id) => insertReported(id, {}),
        // the first status in the documented order counts: an open bottle that is late is late
        late: (id) => insertReported(id, { late: true, open: true }),
        open: (id) => insertReported(id, { open: true }),
        silent: (id) => insertReported(id, { quiet: 'silent', silent: true, late: true }),
      };
      for (let round = 0; round < 3; round += 1) {
        for (const status of STATUS) {
          const { id, token } = await support.register({
            user_id: `user-${round}`,
            medication: round < 2 ? 'Cordrazine' : 'Inaprovaline',
          });
          if (status !== 'unknown') await support.report(token, 'heartbeats');
          await make[status]!(id);
          (byStatus[status] ??= []).push(id);
          all.push(id);
        }
      }
    });

    const insertReported = (id: string, state: object) =>
      setState(support, id, { last_heard_at: NOW, ...state });

    it.each(STATUS)('are listed by the status %s', async (status) => {
      const { items, pages } = await support.pages(`/v1/bottles?status=${status}`, 2);
      expect(ids(items)).toEqual(byStatus[status]);
      expect(items.every((item) => item.status === status)).toBe(true);
      expect(pages).toBe(2);
      for (const id of byStatus[status]!)
        expect((await support.get(`/v1/bottles/${id}`)).body.status).toBe(status);
      const { medication, user_id } = items[0] as { medication: string; user_id: string };
      for (const [field, value] of Object.entries({ medication, user_id }))
        expect((await support.get(`/v1/bottles?status=${status}&${field}=${value}`)).body.items).toEqual(
          items.filter((item) => item[field] === value),
        );
    });

    it.each([1, 2, 5, 16])('are ordered in both directions, each once, in pages of %i', async (limit) => {
      const inOrder = async (query: string) =>
        ids((await support.pages(`/v1/bottles?${query}`, limit)).items);
      // the registration goes round by round, and so do the users
      for (const sort of ['registered', 'user_id']) {
        expect(await inOrder(`sort=${sort}`)).toEqual(all);
        expect(await inOrder(`sort=-${sort}`)).toEqual(all.toReversed());
      }
      expect(await inOrder('sort=-registered&status=late')).toEqual(byStatus['late']!.toReversed());
      // two became silent at once
      const silent = byStatus['silent']!;
      await setState(support, silent[2]!, { last_heard_at: at(-90) });
      const longest = [silent[2]!, silent[0]!, silent[1]!];
      expect(await inOrder('status=silent&sort=last_seen')).toEqual(longest);
      expect(await inOrder('status=silent&sort=-last_seen')).toEqual(longest.toReversed());
    });

    it.each([1, 2, 5])(
      'are ordered by next dose and by battery, each once, in pages of %i',
      async (limit) => {
        const [first, second, third, fourth] = all;
        await setState(support, first!, { next_dose_at: at(120), battery_percent: 100 });
        await setState(support, second!, { next_dose_at: at(60), battery_percent: 9 });
        await setState(support, third!, { next_dose_at: at(120), battery_percent: 9 });
        // passed: the notifier has yet to look at its schedule
        await setState(support, fourth!, { next_dose_at: at(0) });
        const inOrder = async (sort: string) =>
          ids((await support.pages(`/v1/bottles?sort=${sort}`, limit)).items);
        expect(await inOrder('next_dose')).toEqual([second, first, third]);
        expect(await inOrder('-next_dose')).toEqual([third, first, second]);
        expect(await inOrder('battery')).toEqual([second, third, first]);
        expect(await inOrder('-battery')).toEqual([first, third, second]);
      },
    );

    it.each([
      'sort=next_dose&status=late',
      'sort=-battery&user_id=user-1',
      'sort=user_id&status=late',
      'sort=-user_id&medication=Cordrazine',
      'sort=last_seen',
      'sort=last_seen&status=late',
      'sort=-last_seen&status=silent&user_id=user-1',
      'sort=registered&q=user',
    ])('refuse an order that no index gives: %s', async (query) => {
      const { status, body } = await support.get(`/v1/bottles?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ field: 'sort', code: 'unsupported_sort' }]);
    });

    it('refuse the cursor of another order', async () => {
      const { next_cursor } = (await support.get('/v1/bottles?sort=user_id&limit=2')).body;
      for (const sort of ['registered', '-user_id'])
        expect((await support.get(`/v1/bottles?sort=${sort}&cursor=${next_cursor}`)).body.code).toBe(
          'invalid_cursor',
        );
    });

    it('show what staff look for: zone, next dose, alerts, battery', async () => {
      const { id, token } = await support.register({
        user_id: 'with-columns',
        time_zone: 'Asia/Tokyo',
        schedule: { kind: 'times_of_day', times: ['08:00'] },
      });
      await support.report(token, 'heartbeats', { battery_percent: 81 });
      const bottle_id = new Types.ObjectId(id);
      await insertAlerts(support, [
        { bottle_id, kind: 'bottle_open' },
        { bottle_id, kind: 'low_supply', state: 'acknowledged' },
        { bottle_id, kind: 'bottle_silent', state: 'closed' },
      ]);
      for (const query of ['user_id=with-columns', 'q=with-columns'])
        expect((await support.get(`/v1/bottles?${query}`)).body.items).toMatchObject([
          {
            time_zone: 'Asia/Tokyo',
            next_dose_at: expect.stringMatching(/T23:00:00.000Z$/),
            open_alert_count: 2,
            battery_percent: 81,
          },
        ]);
      await support.call('delete', `/v1/bottles/${id}`);
    });

    it.each([1, 4, 5, 15, 16])('are all listed once, in pages of %i', async (limit) => {
      const { items, pages } = await support.pages('/v1/bottles', limit);
      expect(ids(items)).toEqual(all);
      expect(pages).toBe(Math.ceil(all.length / limit));
    });

    it('are listed by user and medication, which are plain text', async () => {
      expect((await support.get('/v1/bottles?user_id=user-1')).body.items).toHaveLength(5);
      expect(
        (await support.get('/v1/bottles?user_id=user-1&medication=Cordrazine&status=ok')).body.items,
      ).toHaveLength(1);
      expect((await support.get('/v1/bottles?user_id=user-2&medication=Cordrazine')).body.items).toHaveLength(
        0,
      );
      expect(
        (await support.get(`/v1/bottles?user_id=${encodeURIComponent('{"$gt":""}')}`)).body.items,
      ).toHaveLength(0);
    });

    it('keep their pages when bottles are added and removed meanwhile', async () => {
      const first = (await support.get('/v1/bottles?limit=5')).body;
      const extra = await support.register();
      await support.call('delete', `/v1/bottles/${all[4]}`);
      const rest = await support.get(`/v1/bottles?limit=100&cursor=${first.next_cursor}`);
      expect(ids(rest.body.items)).toEqual([...all.slice(5), extra.id]);
    });
  });

  describe('alerts and deliveries', () => {
    it('are listed newest first and once, also with the same time', async () => {
      const moments = [1, 1, 1, 1, 2, 2, 3, 4, 4, 4];
      await insertAlerts(
        support,
        moments.map((minute) => ({ raised_at: at(-minute) })),
      );
      await insertDeliveries(
        support,
        moments.map((minute) => ({ created_at: at(-minute) })),
      );
      for (const [path, field] of [
        ['/v1/alerts', 'raised_at'],
        ['/v1/alerts?state=open', 'raised_at'],
        ['/v1/deliveries', 'created_at'],
        ['/v1/deliveries?status=pending', 'created_at'],
      ] as const) {
        for (const limit of [1, 3, 10, 11]) {
          const { items } = await support.pages(path, limit);
          expect(new Set(ids(items)).size).toBe(10);
          expect(items.map((item) => item[field])).toEqual(
            moments.map((minute) => at(-minute).toISOString()),
          );
        }
      }
    });

    it('keep their pages when newer ones are added meanwhile', async () => {
      const first = (await support.get('/v1/alerts?limit=4')).body;
      await insertAlerts(support, [{ raised_at: NOW }]);
      const rest = (await support.get(`/v1/alerts?limit=100&cursor=${first.next_cursor}`)).body;
      expect(new Set([...ids(first.items), ...ids(rest.items)]).size).toBe(10);
    });
  });

  describe('history', () => {
    let bottle: { id: string; token: string };

    beforeAll(async () => {
      bottle = await support.register();
      const bottle_id = new Types.ObjectId(bottle.id);
      const owner = { bottle_id, user_id: 'will', medication: 'Cordrazine' };
      const moments = [1, 1, 1, 1, 1, 2, 3, 3, 5];
      const { db } = support.database;
      const action = { ...owner, mass_of_contents: 1, number_of_pills: 1, received_at: NOW };
      await db.collection('bottle_actions').insertMany([
        ...moments.map((minute, index) => ({
          ...action,
          time: at(-minute),
          action: index % 2 ? 'opened' : 'closed',
          ...(index % 2 ? {} : { pills_taken: 1 }),
        })),
        { ...action, time: at(-8 * 1440), action: 'opened' },
      ]);
      await db
        .collection('bottle_heartbeats')
        .insertMany(moments.map((minute) => ({ ...owner, time: at(-minute), battery_percent: 50 })));
      await db.collection('dose_outcomes').insertMany(
        moments.map((_, day) => ({
          bottle_id,
          scheduled_at: at(-1 - day * 720),
          outcome: 'taken_on_time',
          taken_at: at(-1 - day * 720),
          pills_scheduled: 1,
          pills_taken: 1,
          judged_at: NOW,
        })),
      );
      // of another bottle
      await db
        .collection('bottle_heartbeats')
        .insertOne({ ...owner, bottle_id: new Types.ObjectId(), time: at(-1) });
    });

    it.each([
      ['actions', 9, 'time'],
      ['heartbeats', 9, 'time'],
      ['doses', 9, 'scheduled_at'],
    ])('of %s is listed newest first and once, whatever the page size', async (what, count, field) => {
      const whole = (await support.get(`/v1/bottles/${bottle.id}/${what}`)).body;
      expect(whole.items).toHaveLength(count);
      expect(whole.next_cursor).toBeUndefined();
      const times: string[] = whole.items.map((item: Record<string, string>) => item[field]);
      expect(times).toEqual([...times].sort((one, other) => other.localeCompare(one)));
      for (const limit of [1, 2, 3, 4, 9]) {
        expect((await support.pages(`/v1/bottles/${bottle.id}/${what}`, limit)).items).toEqual(whole.items);
      }
    });

    it('goes back seven days by default', async () => {
      const since = `/v1/bottles/${bottle.id}/actions?from=2026-01-01T00:00:00Z`;
      expect((await support.get(since)).body.items).toHaveLength(10);
      expect((await support.pages(since, 3)).items).toHaveLength(10);
    });

    it('starts at `from` and ends before `to`', async () => {
      const between = `from=${at(-3).toISOString()}&to=${at(-1).toISOString()}`;
      const { items } = await support.pages(`/v1/bottles/${bottle.id}/heartbeats?${between}`, 2);
      expect(items.map((item) => item.time)).toEqual(
        [at(-2), at(-3), at(-3)].map((time) => time.toISOString()),
      );
    });

    it('returns every field of a report', async () => {
      const [newest] = (await support.get(`/v1/bottles/${bottle.id}/heartbeats?limit=1`)).body.items;
      expect(newest).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        time: at(-1).toISOString(),
        battery_percent: 50,
        rssi_dbm: null,
        mass_of_contents: null,
        number_of_pills: null,
      });
      const { items } = (await support.get(`/v1/bottles/${bottle.id}/actions`)).body;
      expect(items.find((item: { action: string }) => item.action === 'closed')).toMatchObject({
        pills_taken: 1,
        received_at: NOW.toISOString(),
        event_id: null,
      });
      expect(items.find((item: { action: string }) => item.action === 'opened')).toMatchObject({
        pills_taken: null,
      });
    });

    it.each(['actions', 'heartbeats', 'doses'])('of %s returns 404 for an unknown bottle', async (what) => {
      expect(await support.get(`/v1/bottles/${'0'.repeat(24)}/${what}`)).toMatchObject({
        status: 404,
        body: { code: 'bottle_not_found' },
      });
    });
  });

  it('no response except the one that creates it contains a token or its hash', async () => {
    const { id, token } = await support.register();
    const key = await support.keyOf('viewer');
    const { hashToken } = await import('#platform');
    const paths = [
      '/v1/bottles?limit=200',
      `/v1/bottles/${id}`,
      '/v1/api-keys',
      '/v1/alerts',
      '/v1/deliveries',
      '/v1/fleet',
      `/v1/bottles/${id}/actions`,
      '/docs/json',
      '/metrics',
    ];
    for (const path of paths) {
      const { text } = await support.get(path);
      for (const secret of [token, key, hashToken(token), hashToken(key)]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/_hash|_claim/);
    }
  });
});
