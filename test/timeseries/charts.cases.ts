import { HOUR_MS } from '#domain';
import { ManualClock } from '#platform';
import { LiveCounts } from '#timeseries';
import { Types } from 'mongoose';
import type supertest from 'supertest';
import { asAdmin, startSupportApi } from '../../tools/harness/services.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { action, heartbeat, Timeseries } from './timeseries.js';

describe('charts', () => {
  const NOW = new Date('2026-03-02T12:00:00Z');
  const at = (text: string): Date => new Date(`2026-03-${text}Z`);

  let database: TestDatabase;
  let clock: ManualClock;
  let series: Timeseries;
  let support: Awaited<ReturnType<typeof startSupportApi>>;

  beforeAll(async () => {
    database = await newDatabase('charts');
    clock = new ManualClock(NOW);
    series = await Timeseries.open(database.uri, clock);
    support = await startSupportApi(database.uri, clock);
  });
  afterAll(async () => {
    await support?.close();
    await series?.close();
    await database?.drop();
  });

  const get = (path: string): supertest.Test => asAdmin(support).get(path);

  describe('the fleet by the minute', () => {
    beforeAll(async () => {
      for (const [second, count] of [
        ['02T10:00:05', 3],
        ['02T10:00:59', 2],
        ['02T10:02:00', 1],
      ] as const)
        await series.receive(...Array.from({ length: count }, () => heartbeat(at(second))));
      const closed = { action: 'closed', pills_taken: 2 } as const;
      await series.receive(
        action(at('02T10:02:10'), { action: 'opened' }),
        action(at('02T10:02:20'), closed),
      );
      const live = series.get(LiveCounts);
      live.count('opened', at('02T10:02:10'));
      await live.flush(at('02T10:02:10'));
      await series.follow();
    });

    it('is a column a series, and a gap where nobody counted', async () => {
      const { body } = await get(
        '/v1/fleet/charts?series=reports&step=1m&from=2026-03-02T10:00:30Z&to=2026-03-02T10:04:00Z',
      ).expect(200);
      const start = at('02T10:00:00').getTime() / 1000;
      expect(body).toMatchObject({
        columns: [
          [start, start + 60, start + 120, start + 180],
          [5, null, 1, null],
          [0, null, 1, null],
          [0, null, 1, null],
          [0, null, 2, null],
        ],
        step: '1m',
        step_seconds: 60,
        from: '2026-03-02T10:00:00.000Z',
        to: '2026-03-02T10:04:00.000Z',
      });
      expect(body.series.map(({ key }: { key: string }) => key)).toEqual([
        'heartbeats',
        'opened',
        'closed',
        'pills_taken',
      ]);
    });

    it('is 0 in a minute in which someone was there to count', async () => {
      clock.set(at('02T12:01:30'));
      await series.get(LiveCounts).flush(clock.now());
      await series.follow();
      const { body } = await get(
        '/v1/fleet/charts?series=reports&step=1m&from=2026-03-02T12:01:00Z&to=2026-03-02T12:02:00Z',
      );
      expect(body.columns[1]).toEqual([0]);
      clock.set(NOW);
    });

    it('says from which point on it may still grow: what is counted ends before now', async () => {
      const path = (to: string) =>
        `/v1/fleet/charts?series=reports&step=5m&from=2026-03-02T11:50:00Z&to=2026-03-02T${to}`;
      // counted until 12:02
      clock.set(at('02T12:07:30'));
      const { body } = await get(path('12:07:00Z'));
      expect(body).toMatchObject({
        to: '2026-03-02T12:10:00.000Z',
        complete_until: '2026-03-02T12:00:00.000Z',
      });
      // what is over for good
      expect((await get(path('11:54:00Z'))).body.complete_until).toBe('2026-03-02T11:55:00.000Z');
      // alerts are counted as they are raised
      const alerts = await get(path('12:07:00Z').replace('reports', 'alerts'));
      expect(alerts.body.complete_until).toBe('2026-03-02T12:05:00.000Z');
      clock.set(NOW);
    });

    it('has the last minutes by the second', async () => {
      const { body } = await get(
        '/v1/fleet/charts?series=live&from=2026-03-02T10:02:08Z&to=2026-03-02T10:02:12Z',
      ).expect(200);
      expect(body.series.map(({ key }: { key: string }) => key)).toEqual([
        'heartbeats',
        'opened',
        'closed',
        'refused',
      ]);
      expect(body.columns[2]).toHaveLength(4);
      expect(body.columns[2][2]).toBe(1);
    });

    it('says by its ETag whether it has changed', async () => {
      const path =
        '/v1/fleet/charts?series=reports&step=1m&from=2026-03-02T10:00:00Z&to=2026-03-02T10:04:00Z';
      const first = await get(path).expect(200);
      expect(first.headers['cache-control']).toBe('no-store');
      const etag = first.headers['etag']!;
      const again = await get(path).set('if-none-match', `"other", ${etag}`).expect(304);
      expect(again.text).toBe('');
      // received later than what the counts have followed so far
      const opened = { action: 'opened', received_at: at('02T12:05:00') } as const;
      await series.receive(action(at('02T10:03:00'), opened));
      clock.set(at('02T12:06:00'));
      await series.follow();
      clock.set(NOW);
      const changed = await get(path).set('if-none-match', etag).expect(200);
      expect(changed.headers['etag']).not.toBe(etag);
    });
  });

  describe('a bottle', () => {
    const bottle_id = new Types.ObjectId();

    beforeAll(async () => {
      for (const [time, battery_percent] of [
        ['01T10:00:00', 80],
        ['01T10:30:00', 70],
        ['01T10:31:00', 60],
        ['01T12:00:00', 50],
      ] as const)
        await series.receive(heartbeat(at(time), { bottle_id, battery_percent }));
    });

    it('has averages weighted by samples, and null where there are none', async () => {
      const { body } = await get(
        `/v1/bottles/${bottle_id.toHexString()}/charts?series=battery&step=1h&from=2026-03-01T10:00:00Z&to=2026-03-01T13:00:00Z`,
      ).expect(200);
      expect(body.columns.slice(1)).toEqual([
        [70, null, 50],
        [60, null, 50],
        [80, null, 50],
      ]);
      expect(body.series[0]).toEqual({ key: 'average', label: 'Battery', unit: '%' });
    });

    it.each([
      ['Europe/Berlin', [60, null], 'by the hour'],
      ['Asia/Kolkata', [70, 50], 'by the minute, where days begin within an hour'],
    ])('is drawn by the days of %s exactly', async (zone, averages) => {
      const other = new Types.ObjectId();
      for (const [time, battery_percent] of [
        ['01T18:15:00', 70],
        ['01T18:45:00', 50],
      ] as const)
        await series.receive(heartbeat(at(time), { bottle_id: other, battery_percent }));
      const { body } = await get(
        `/v1/bottles/${other.toHexString()}/charts?series=battery&step=1d&time_zone=${zone}&from=2026-03-01T12:00:00Z&to=2026-03-02T12:00:00Z`,
      ).expect(200);
      expect(body.columns[1]).toEqual(averages);
    });

    it('is drawn no finer than it reports', async () => {
      const { body } = await get(
        `/v1/bottles/${bottle_id.toHexString()}/charts?series=battery&from=2026-03-01T10:00:00Z&to=2026-03-01T13:00:00Z`,
      );
      expect(body.step).toBe('30m');
    });

    it('has to be there', async () => {
      await get(`/v1/bottles/${'0'.repeat(24)}/charts?series=battery`).expect(404);
    });
  });

  describe('this hour beside the same hour of earlier weeks', () => {
    const WEEK = 7 * 24 * HOUR_MS;

    it('says what is unusual by what the charts count, and nothing without two weeks', async () => {
      clock.set(at('02T12:07:00'));
      const ask = async () => (await get('/v1/fleet/comparison?time_zone=Europe/Berlin').expect(200)).body;
      const hour = at('02T11:00:00').getTime();
      expect(await ask()).toMatchObject({ from: '2026-03-02T11:00:00.000Z', weeks: 0, items: [] });
      const hourly = (week: number, metric: string, counts: object) => {
        const start = new Date(hour - week * WEEK);
        const day = new Date(start.toISOString().slice(0, 10));
        return database.db
          .collection(`ts_1h_${day.toISOString().slice(0, 7).replace('-', '')}`)
          .updateOne(
            { _id: { metric, timestamp: day } },
            { $set: { [`values.${start.getUTCHours()}`]: counts } },
            { upsert: true },
          );
      };
      for (const [week, heartbeats] of [140, 700, 690, 710].entries())
        await hourly(week, 'reports', { heartbeats, opened: 10 });
      await hourly(0, 'alerts', { bottle_silent: 5 });
      const { items, ...found } = await ask();
      expect(found).toEqual({ from: '2026-03-02T11:00:00.000Z', to: '2026-03-02T12:00:00.000Z', weeks: 3 });
      expect(items).toEqual([
        {
          series: 'reports',
          key: 'heartbeats',
          label: 'Heartbeats',
          now: 140,
          usual: 700,
          low: 690,
          high: 710,
          unusual: 'low',
        },
        // an hour without alerts has no count, but somebody was there to count
        expect.objectContaining({
          series: 'alerts',
          key: 'bottle_silent',
          now: 5,
          usual: 0,
          unusual: 'high',
        }),
        expect.objectContaining({ series: 'reports', key: 'opened', now: 10, usual: 10, unusual: null }),
      ]);
      const chart = await get(
        '/v1/fleet/charts?series=reports&step=1h&from=2026-03-02T11:00:00Z&to=2026-03-02T12:00:00Z',
      );
      expect(chart.body.columns[1]).toEqual([items[0].now]);
      clock.set(NOW);
    });
  });

  describe('when people take a medication', () => {
    beforeAll(async () => {
      for (const [time, zone] of [
        // Sunday 08:30 and Monday 08:30 by the clocks of Berlin and of Kolkata
        ['01T07:30:00', 'Europe/Berlin'],
        ['02T03:00:00', 'Asia/Kolkata'],
      ] as const) {
        const closed = { action: 'closed', pills_taken: 2, medication: 'Kironide' } as const;
        await series.receive(action(at(time), { ...closed, received_at: at('02T12:10:00') }, zone));
      }
      clock.set(at('02T12:11:00'));
      await series.follow();
      clock.set(NOW);
    });

    it('counts by the wall clock where they are', async () => {
      const { body } = await get(
        '/v1/fleet/heatmap?medication=Kironide&from=2026-03-01&to=2026-03-03',
      ).expect(200);
      expect(body.pills_taken[6][8]).toBe(2);
      expect(body.pills_taken[0][8]).toBe(2);
      expect(body.total).toEqual({ pills_taken: 4, doses: 2 });
    });

    it('can be asked of one zone and of some days', async () => {
      const { body } = await get('/v1/fleet/heatmap?medication=Kironide&time_zone=Asia/Kolkata');
      expect(body).toMatchObject({ time_zone: 'Asia/Kolkata', total: { pills_taken: 2, doses: 1 } });
      const { body: monday } = await get('/v1/fleet/heatmap?medication=Kironide&from=2026-03-02');
      expect(monday.total.doses).toBe(1);
    });
  });

  it.each([
    ['/v1/fleet/charts', 'missing_field'],
    ['/v1/fleet/charts?series=nonsense', 'invalid_value'],
    ['/v1/fleet/charts?series=reports&step=2m', 'invalid_value'],
    ['/v1/fleet/charts?series=live&step=1m', 'invalid_value'],
    ['/v1/fleet/charts?series=reports&step=1s', 'invalid_value'],
    ['/v1/fleet/charts?series=reports&from=2026-03-05T00:00:00Z', 'invalid_range'],
    ['/v1/fleet/charts?series=reports&step=1m&from=2026-02-01T00:00:00Z', 'too_many_points'],
    ['/v1/fleet/charts?series=reports&from=1901-02-01T00:00:00Z', 'too_many_points'],
    ['/v1/fleet/charts?series=live&from=2026-03-01T00:00:00Z', 'too_many_points'],
    ['/v1/fleet/charts?series=reports&time_zone=Mars/Base', 'invalid_value'],
    [`/v1/bottles/${'0'.repeat(24)}/charts?series=battery&from=1026-03-01T00:00:00Z`, 'too_many_points'],
    ['/v1/fleet/heatmap', 'missing_field'],
    ['/v1/fleet/heatmap?medication=x&from=2026-02-31', 'invalid_time'],
    ['/v1/fleet/heatmap?medication=x&from=2026-02-03&to=2026-02-03', 'invalid_range'],
    ['/v1/fleet/heatmap?medication=x&from=1926-02-03', 'too_many_points'],
  ])('refuses %s with %s', async (path, code) => {
    const { body } = await get(path).expect(400);
    expect(body.code).toBe(code);
  });
});
