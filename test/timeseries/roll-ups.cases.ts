import { HOUR_MS, DAY_MS, MINUTE_MS } from '#domain';
import { AlertsRepository, type DoseOutcome, DoseOutcomesRepository, newCanaryId } from '#persistence';
import { ManualClock } from '#platform';
import {
  type ChartRange,
  FleetCharts,
  DirtyBuckets,
  LiveCounts,
  type Metric,
  RangedCollections,
  RollUps,
  Verifier,
} from '#timeseries';
import { Types } from 'mongoose';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { action, Timeseries } from './timeseries.js';

describe('roll ups', () => {
  const NOW = new Date('2026-03-02T12:00:00Z');

  let database: TestDatabase;
  let clock: ManualClock;
  let series: Timeseries;

  beforeEach(async () => {
    database = await newDatabase('roll-ups');
    clock = new ManualClock(NOW);
    series = await Timeseries.open(database.uri, clock);
  });
  afterEach(async () => {
    await series.close();
    await database.drop();
  });

  /** What a tier says of a span, in one step. */
  async function sumOf(
    step: ChartRange['step'],
    key = 'opened',
    metric: Metric = 'reports',
  ): Promise<number> {
    const range = { from: new Date('2026-03-01T00:00:00Z'), to: clock.now(), step, timeZone: 'UTC' };
    if (step === '1m') range.from = new Date(range.to.getTime() - 8 * HOUR_MS);
    if (step === '5m') range.from = new Date(range.to.getTime() - 40 * HOUR_MS);
    if (step === '1h')
      range.from = new Date(Math.max(range.from.getTime(), range.to.getTime() - 20 * DAY_MS));
    const chart = await series.get(FleetCharts).chart(metric, range, clock.now());
    const index = chart.series.findIndex((one) => one.key === key);
    return chart.columns[index + 1]!.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  }

  async function rollUp(): Promise<void> {
    await series.follow();
    await series.get(RollUps).run(clock);
    // what is received from now on is received later
    clock.advance(3 * MINUTE_MS);
  }

  async function open(ago: number, count = 1): Promise<void> {
    const time = new Date(clock.now().getTime() - ago);
    const fields = { action: 'opened', received_at: clock.now() } as const;
    await series.receive(...Array.from({ length: count }, () => action(time, fields)));
  }

  async function expectEverywhere(count: number): Promise<void> {
    for (const step of ['1m', '5m', '1h', '1d'] as const)
      expect([step, await sumOf(step)]).toEqual([step, count]);
  }

  it('bring every tier to the same sum, however often they run', async () => {
    await open(3 * HOUR_MS, 5);
    await open(10 * MINUTE_MS, 2);
    for (let run = 0; run < 3; run += 1) {
      await rollUp();
      await expectEverywhere(7);
    }
  });

  it('follow what comes late', async () => {
    await open(3 * HOUR_MS, 5);
    await rollUp();
    clock.advance(2 * MINUTE_MS);
    await rollUp();
    await open(3 * HOUR_MS, 1);
    expect(await sumOf('1d')).toBe(5);
    await rollUp();
    await expectEverywhere(6);
  });

  it('leave nothing to do when nothing has changed', async () => {
    await open(0);
    await rollUp();
    clock.advance(70 * MINUTE_MS);
    await rollUp();
    clock.advance(2 * MINUTE_MS);
    await rollUp();
    const open_ = await database.db.collection('ts_marks').countDocuments({ done: false });
    // the present hour of the metrics that are counted from what the notifier and staff write
    expect(open_).toBeLessThanOrEqual(4);
    expect(await series.follow()).toBeLessThanOrEqual(3);
  });

  it('go on where a stopped notifier left them, and no collection goes before', async () => {
    await open(5 * MINUTE_MS, 4);
    clock.advance(5 * DAY_MS);
    await rollUp();
    expect(await sumOf('1h')).toBe(4);
    expect(await sumOf('1d')).toBe(4);
  });

  it('add what comes when the minutes are past keeping to what was rolled up', async () => {
    await open(5 * MINUTE_MS, 4);
    await rollUp();
    clock.advance(4 * DAY_MS);
    await open(4 * DAY_MS + 5 * MINUTE_MS, 3);
    await rollUp();
    expect(await sumOf('1h')).toBe(7);
    expect(await sumOf('1d')).toBe(7);
    await series.get(RangedCollections).dropExpired(clock.now());
    clock.advance(2 * MINUTE_MS);
    await open(4 * DAY_MS + 5 * MINUTE_MS, 1);
    await rollUp();
    expect(await sumOf('1h')).toBe(8);
    expect(await sumOf('1d')).toBe(8);
  });

  it('add what comes when the hours are past keeping to the days', async () => {
    await open(5 * MINUTE_MS, 4);
    await rollUp();
    clock.advance(120 * DAY_MS);
    await open(120 * DAY_MS + 5 * MINUTE_MS, 3);
    await rollUp();
    await series.get(RangedCollections).dropExpired(clock.now());
    await rollUp();
    expect(await sumOf('1d')).toBe(7);
  });

  it('of several notifiers change nothing of the sums', async () => {
    const other = await Timeseries.open(database.uri, clock);
    await open(HOUR_MS, 5);
    await open(HOUR_MS, 2);
    await Promise.all([series, other, series, other].map((one) => one.follow()));
    await expectEverywhere(7);
    await other.close();
  });

  it('count doses and alerts again from what the notifier wrote', async () => {
    const outcome = (scheduled_at: Date, outcome: 'missed' | 'taken_late', bottle_id: Types.ObjectId) => ({
      bottle_id,
      scheduled_at,
      outcome,
      pills_scheduled: 1,
      pills_taken: 0,
      judged_at: clock.now(),
    });
    const bottle = new Types.ObjectId();
    const slot = new Date(NOW.getTime() - 90 * MINUTE_MS);
    const judge = async (as: 'missed' | 'taken_late'): Promise<void> => {
      await series.get(DoseOutcomesRepository).upsert([outcome(slot, as, bottle)]);
    };
    await judge('missed');
    await series.get(DirtyBuckets).add('doses', [slot], clock.now());
    await rollUp();
    expect(await sumOf('5m', 'missed', 'doses')).toBe(1);
    clock.advance(10 * MINUTE_MS);
    await series.get(DirtyBuckets).add('doses', [slot], clock.now());
    await judge('taken_late');
    await rollUp();
    for (const step of ['1m', '5m', '1h', '1d'] as const) {
      expect(await sumOf(step, 'missed', 'doses')).toBe(0);
      expect(await sumOf(step, 'taken_late', 'doses')).toBe(1);
    }
    expect(await series.get(AlertsRepository).countByMinute(new Date(0), NOW)).toEqual([]);
  });

  it('count what people say about doses at the slot: the latest of each dose that stands', async () => {
    const at = new Date(NOW.getTime() - 90 * MINUTE_MS);
    const ids = Array.from({ length: 6 }, () => new Types.ObjectId());
    const [ann, ben, canary] = [new Types.ObjectId(), new Types.ObjectId(), newCanaryId()];
    let minutes = 0;
    const say = (bottle_id: Types.ObjectId, of: object) => ({
      bottle_id,
      scheduled_at: at,
      at: new Date(NOW.getTime() + (minutes += 1) * MINUTE_MS),
      attested_by: 'user',
      recorded_by: 'Carol',
      ...of,
    });
    const attestations = database.db.collection('attestations');
    await attestations.insertMany([
      say(ann, { _id: ids[0], kind: 'taken', outcome: 'taken_on_time' }),
      say(ann, { _id: ids[1], kind: 'skipped', reason: 'away', outcome: 'skipped' }),
      say(ben, { _id: ids[2], kind: 'taken', outcome: 'taken' }),
      say(ben, { _id: ids[3], kind: 'skipped', reason: 'away', outcome: 'skipped' }),
      say(ben, { _id: ids[4], kind: 'withdrawn', withdraws: ids[3] }),
      say(canary, { _id: ids[5], kind: 'taken', outcome: 'taken' }),
    ]);
    await series.get(DirtyBuckets).add('statements', [at], clock.now());
    await rollUp();
    for (const step of ['1m', '5m', '1h', '1d'] as const) {
      const sums = ['taken_on_time', 'taken', 'skipped'].map((key) => sumOf(step, key, 'statements'));
      expect([step, await Promise.all(sums)]).toEqual([step, [0, 1, 1]]);
    }
  });

  describe('count adherence both ways, at the slot', () => {
    const SLOT = new Date(NOW.getTime() - 90 * MINUTE_MS);
    const [ann, ben, cleo, dora] = Array.from({ length: 4 }, () => new Types.ObjectId());
    let statements = 0;

    const judge = async (bottle_id: Types.ObjectId, outcome: DoseOutcome['outcome']): Promise<void> => {
      await series.get(DirtyBuckets).add('doses', [SLOT], clock.now());
      const judged = { bottle_id, scheduled_at: SLOT, outcome, judged_at: clock.now() };
      await series.get(DoseOutcomesRepository).upsert([{ ...judged, pills_scheduled: 1, pills_taken: 0 }]);
    };
    const say = async (bottle_id: Types.ObjectId, of: object): Promise<Types.ObjectId> => {
      await series.get(DirtyBuckets).add('statements', [SLOT], clock.now());
      const _id = new Types.ObjectId();
      const at = new Date(NOW.getTime() + (statements += 1));
      const entry = { _id, bottle_id, scheduled_at: SLOT, at, attested_by: 'user', recorded_by: 'Carol' };
      await database.db.collection('attestations').insertOne({ ...entry, ...of });
      return _id;
    };
    const counts = async (step: ChartRange['step']): Promise<Record<string, number>> => {
      const from = new Date(step === '1m' ? clock.now().getTime() - 8 * HOUR_MS : '2026-03-02T00:00:00Z');
      const range = { from, to: clock.now(), step, timeZone: 'UTC' };
      const chart = await series.get(FleetCharts).chart('adherence', range, clock.now());
      const sums = chart.series.map(({ key, unit }, index) => [
        key,
        chart.columns[index + 1]!.reduce<number>((sum, value) => sum + (value ?? 0), 0),
        unit,
      ]);
      return Object.fromEntries(sums.filter(([, sum, unit]) => unit === 'count' && sum !== 0)) as Record<
        string,
        number
      >;
    };
    const expectCounts = async (expected: Record<string, number>): Promise<void> => {
      clock.advance(2 * MINUTE_MS);
      await rollUp();
      for (const step of ['1m', '5m', '1h', '1d'] as const)
        expect([step, await counts(step)]).toEqual([step, expected]);
      const day = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };
      expect(await series.get(Verifier).verify(day, clock, new Date(0))).toEqual([]);
    };

    it('and a later statement, a withdrawal and another outcome change them exactly', async () => {
      await judge(ann!, 'missed');
      await judge(ben!, 'taken_on_time');
      await judge(cleo!, 'unknown');
      const measured = { measured_known: 2, measured_taken: 1, measured_on_time: 1 };
      await expectCounts({ ...measured, reported_known: 2, reported_taken: 1, reported_on_time: 1 });

      await say(ann!, { kind: 'taken', outcome: 'taken_on_time' });
      await say(cleo!, { kind: 'taken', outcome: 'taken' });
      // about a dose that has no outcome yet
      await say(dora!, { kind: 'taken', outcome: 'taken' });
      const both = { reported_known: 3, reported_taken: 3, reported_on_time: 2, attested: 2 };
      await expectCounts({ ...measured, ...both });

      const advised = { kind: 'skipped', reason: 'doctors_advice', outcome: 'skipped' };
      const skipped = await say(ann!, advised);
      const excused = { reported_known: 2, reported_taken: 2, reported_on_time: 1, attested: 1, excused: 1 };
      await expectCounts({ ...measured, ...excused });

      await say(ann!, { kind: 'withdrawn', withdraws: skipped });
      await expectCounts({ ...measured, ...both });

      await judge(dora!, 'missed');
      await expectCounts({
        measured_known: 3,
        measured_taken: 1,
        measured_on_time: 1,
        reported_known: 4,
        reported_taken: 4,
        reported_on_time: 2,
        attested: 3,
      });
    });

    it('as shares beside their counts, with the share that rests on people’s word', async () => {
      await judge(ann!, 'missed');
      await judge(ben!, 'taken_on_time');
      await judge(cleo!, 'unknown');
      await say(ann!, { kind: 'taken', outcome: 'taken' });
      clock.advance(2 * MINUTE_MS);
      await rollUp();
      const range = {
        from: new Date(SLOT.getTime() - HOUR_MS),
        to: NOW,
        step: '1h',
        timeZone: 'UTC',
      } as const;
      const { columns, series: lines } = await series.get(FleetCharts).chart('adherence', range, clock.now());
      const shares = lines.flatMap(({ key, unit }, index) =>
        unit === '%' ? [[key, columns[index + 1]]] : [],
      );
      // without a dose there is no share, not one of 0
      expect(
        shares.map(([key, column]) => [key, (column as number[]).filter((value) => value !== null)]),
      ).toEqual([
        ['measured', [50]],
        ['reported', [100]],
        ['attested_share', [50]],
      ]);
    });

    it('of notifiers that were killed in between, or run at once, once', async () => {
      await judge(ann!, 'missed');
      await say(ann!, { kind: 'taken', outcome: 'taken_late' });
      let asked = 0;
      await series.get(RollUps).run(clock, () => (asked += 1) > 1);
      const other = await Timeseries.open(database.uri, clock);
      await Promise.all([series, other].map((one) => one.get(RollUps).run(clock)));
      await other.close();
      await expectCounts({ measured_known: 1, reported_known: 1, reported_taken: 1, attested: 1 });
    });

    it('and what verify finds wrong, rebuild makes right', async () => {
      await judge(ann!, 'missed');
      await expectCounts({ measured_known: 1, reported_known: 1 });
      // as of a notifier of version 0.1.0, which does not count them
      for (const tier of ['1m_20260302', '5m_20260302', '1h_202603', '1d'])
        await database.db.collection(`ts_${tier}`).deleteMany({ '_id.metric': 'adherence' });
      const day = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };
      const verifier = series.get(Verifier);
      const found = await verifier.verify(day, clock, new Date(0));
      expect(new Set(found.map(({ kind }) => kind))).toEqual(
        new Set(['adherence measured_known', 'adherence reported_known']),
      );
      await verifier.rebuild(day, clock, new Date(0));
      await expectCounts({ measured_known: 1, reported_known: 1 });
    });

    it('of the time before the upgrade from version 0.1.0, when nobody attested anything', async () => {
      const values = { 30: { missed: 2, taken_late: 1, unknown: 4 } };
      const counted_until = new Date('2026-03-02T12:00:00Z');
      await database.db.collection('ts_writers').insertOne({ counted_until });
      const timestamp = new Date('2026-01-01T00:00:00Z');
      await database.db
        .collection<{ _id: object; values: object }>('ts_1d')
        .insertOne({ _id: { metric: 'doses', timestamp }, values });
      await rollUp();
      const year = await database.db
        .collection<{ _id: object }>('ts_1d')
        .findOne({ _id: { metric: 'adherence', timestamp } });
      expect(year).toMatchObject({
        values: { 30: { measured_known: 3, measured_taken: 1, reported_known: 3, reported_taken: 1 } },
      });
    });
  });

  it('make an hour without an alert a 0, and one without a notifier a gap', async () => {
    await rollUp();
    clock.advance(2.5 * HOUR_MS);
    await rollUp();
    clock.set(new Date(NOW.getTime() + 3 * HOUR_MS));
    const range = { from: NOW, to: clock.now(), step: '1h', timeZone: 'UTC' } as const;
    const { columns } = await series.get(FleetCharts).chart('alerts', range, clock.now());
    expect(columns[1]).toEqual([0, null, 0]);
  });

  it('are what an expired collection is dropped after, by no delete command', async () => {
    await series.get(RangedCollections).makeAhead(clock.now());
    await open(0, 5);
    await series.get(LiveCounts).makeNextHour(clock.now());
    await rollUp();
    const names = async (): Promise<string[]> =>
      (await database.db.listCollections({ name: /^ts_/ }).toArray()).map(({ name }) => name).sort();
    expect(await names()).toEqual(
      expect.arrayContaining([
        'ts_1m_20260302',
        'ts_1m_20260303',
        'ts_1h_202603',
        'ts_1h_202604',
        'ts_vitals_202604',
      ]),
    );
    const { commands } = await series.capture(async () => {
      for (let days = 0; days < 100; days += 20) {
        clock.advance(20 * DAY_MS);
        await series.get(RangedCollections).makeAhead(clock.now());
        await series.get(RangedCollections).dropExpired(clock.now());
      }
    });
    const sent = new Set(commands.map(({ commandName }) => commandName));
    expect(sent).toContain('drop');
    expect([...sent].filter((name) => ['delete', 'findAndModify'].includes(name))).toEqual([]);
    const left = (await names()).filter((name) => /^ts_1m|^ts_5m|^ts_live/.test(name));
    // today and tomorrow
    expect(left).toHaveLength(3 * 2);
    expect(await names()).not.toContain('ts_1h_202603');
    expect(await sumOf('1d')).toBe(5);
  });

  it('keeps what was made ahead as it is when it was counted into', async () => {
    const next = new Date(NOW.getTime() + HOUR_MS);
    const counts = series.get(LiveCounts);
    counts.count('heartbeats', next);
    await counts.flush(next);
    await series.get(LiveCounts).makeNextHour(clock.now());
    const live = database.db.collection('ts_live_20260302');
    expect(await live.countDocuments()).toBe(240);
    expect(await live.countDocuments({ total: { $gt: 0 } })).toBe(1);
    const one = await live.findOne({ total: 0 });
    expect(Object.keys(one!['seconds'] as object)).toHaveLength(60);
  });
});
