import { jest } from '@jest/globals';
import { heartbeatId, DAY_MS, MINUTE_MS, HOUR_MS } from '#domain';
import { BottleActionsRepository, BottleHeartbeatsRepository, BottlesRepository } from '#persistence';
import { ManualClock } from '#platform';
import {
  Buckets,
  type Difference,
  ReportRollUp,
  LiveCounts,
  Progress,
  RangedCollections,
  RollUps,
  Tally,
  Verifier,
  VitalsCharts,
  VitalsHistory,
} from '#timeseries';
import { type mongo, Types } from 'mongoose';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { eventually } from '../../tools/harness/eventually.js';
import { action, heartbeat, type Report, Timeseries } from './timeseries.js';

describe('the counts follow the log', () => {
  const NOW = new Date('2026-03-02T12:00:30Z');
  const ZONES = ['Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const RANGE = { from: new Date('2026-02-26T00:00:00Z'), to: new Date('2026-03-04T00:00:00Z') };

  let database: TestDatabase;
  let clock: ManualClock;
  let series: Timeseries;
  const bottles = ZONES.map((time_zone) => ({ _id: new Types.ObjectId(), time_zone }));

  beforeEach(async () => {
    database = await newDatabase('follow');
    clock = new ManualClock(NOW);
    series = await Timeseries.open(database.uri, clock);
    const owner = { user_id: 'willcross1024', medication: 'Cordrazine', schedule_versions: [], pauses: [] };
    await database.db
      .collection('bottles')
      .insertMany(bottles.map((one) => ({ ...one, ...owner, token_hash: one._id.toHexString() })));
  });
  afterEach(async () => {
    await series.close();
    await database.drop();
  });

  /** Reports as they come: late by up to four days, and in any order. */
  function reportsOf(count: number, random: () => number): Report[] {
    return Array.from({ length: count }, (): Report => {
      const { _id: bottle_id, time_zone } = bottles[Math.floor(random() * bottles.length)]!;
      const received = new Date(clock.now().getTime() + Math.floor(random() * 30_000));
      if (random() < 0.5) {
        const _id = new Types.ObjectId(heartbeatId(bottle_id.toHexString(), received, received));
        return heartbeat(received, { _id, bottle_id, battery_percent: Math.floor(random() * 100) });
      }
      const late = random() < 0.4 ? random() * 4 * DAY_MS : random() * MINUTE_MS;
      const fields =
        random() < 0.5
          ? ({ action: 'opened' } as const)
          : { action: 'closed' as const, pills_taken: Math.floor(random() * 3) };
      const time = new Date(received.getTime() - Math.floor(late));
      return action(time, { bottle_id, received_at: received, ...fields }, time_zone);
    });
  }

  /** Mulberry32: the same numbers each time. */
  function randoms(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
  }

  /** A notifier that is killed: of a minute's documents it has written some, in any order, or all. */
  class DyingBuckets extends Buckets {
    constructor(
      collections: RangedCollections,
      private readonly random: () => number,
    ) {
      super(collections);
    }

    override async add(tally: Tally, minute?: Date): Promise<void> {
      if (this.random() < 0.3) return super.add(tally, minute);
      const share = this.random() * 1.3;
      const written = new Tally();
      for (const { bucket, sums } of tally.counts())
        if (this.random() < share) for (const [path, amount] of sums) written.add(bucket, path, amount);
      await super.add(written, minute);
      throw new Error('killed');
    }
  }

  const rollUpWith = (buckets: Buckets): ReportRollUp =>
    new ReportRollUp(
      series.get(Progress),
      series.get(RangedCollections),
      buckets,
      series.get(LiveCounts),
      series.get(BottleActionsRepository),
      series.get(BottleHeartbeatsRepository),
      series.get(BottlesRepository),
    );
  const verify = (): Promise<Difference[]> =>
    series.get(Verifier).verify(RANGE, clock, new Date(clock.now().getTime() - 13 * DAY_MS));

  /** Months by tags: the totals of each level are the sum of the next. */
  async function expectLevels(): Promise<void> {
    interface Level {
      pills_taken: number;
      doses: number;
    }
    type Month = Level & { days: (Level & { hours: (Level & { minutes: Level[] })[] })[] };
    const months = await database.db.collection<Month & mongo.Document>('ts_taken').find().toArray();
    expect(months.length).toBeGreaterThan(2);
    const sum = (all: Level[]): Level => ({
      pills_taken: all.reduce((total, one) => total + one.pills_taken, 0),
      doses: all.reduce((total, one) => total + one.doses, 0),
    });
    for (const month of months) {
      expect(month).toMatchObject(sum(month.days));
      for (const day of month.days) {
        expect(day).toMatchObject(sum(day.hours));
        for (const hour of day.hours) expect(hour).toMatchObject(sum(hour.minutes));
      }
    }
  }

  it('whatever notifiers are killed at any point, and by several at once', async () => {
    const random = randoms(17);
    const doomed = rollUpWith(new DyingBuckets(series.get(RangedCollections), random));
    let kills = 0;
    for (let round = 0; round < 12; round += 1) {
      await series.receive(...reportsOf(12, random));
      clock.advance(random() < 0.2 ? 5 * HOUR_MS : 2 * MINUTE_MS);
      // two that both believe that the one before is dead
      for (const _ of [1, 2, 3]) {
        await database.db.collection('ts_progress').updateMany({}, { $unset: { lease: '' } });
        const runs = await Promise.allSettled([doomed.run(clock), doomed.run(clock)]);
        kills += runs.filter(({ status }) => status === 'rejected').length;
      }
    }
    expect(kills).toBeGreaterThan(10);
    await series.follow();
    expect(await database.db.collection('bottle_actions').countDocuments()).toBeGreaterThan(50);
    expect(await verify()).toEqual([]);
    await expectLevels();
  });

  it('each of two workers at once, of which one was frozen for minutes, adds what is not added yet', async () => {
    await series.receive(...reportsOf(20, randoms(3)));
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    class FrozenBuckets extends Buckets {
      override async add(tally: Tally, minute?: Date): Promise<void> {
        await asleep;
        await super.add(tally, minute);
      }
    }
    clock.advance(3 * MINUTE_MS);
    const frozen = rollUpWith(new FrozenBuckets(series.get(RangedCollections))).run(clock);
    await series.receive(...reportsOf(20, randoms(4)));
    clock.advance(5 * MINUTE_MS);
    await series.follow();
    wake();
    await frozen;
    expect(await verify()).toEqual([]);
  });

  it('but not while somebody reads them, however long that takes', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    await series.receive(...reportsOf(20, randoms(6)));
    const added = await series.get(ReportRollUp).standing(clock, async () => {
      const renewals = timers.mock.calls.map(([renewal]) => renewal);
      for (let seconds = 0; seconds < 180; seconds += 30) {
        clock.advance(30_000);
        for (const renewal of renewals) renewal();
        await eventually(async () => {
          const reading = { 'lease.ends_at': { $gt: new Date(clock.now().getTime() + 30_000) } };
          expect(await database.db.collection('ts_progress').countDocuments(reading)).toBe(1);
        }, 5_000);
      }
      return series.get(ReportRollUp).run(clock);
    });
    timers.mockRestore();
    expect(added).toBe(0);
    expect(await series.get(ReportRollUp).run(clock)).toBeGreaterThan(0);
  });

  it('and who reads them and was frozen for minutes says so instead of comparing', async () => {
    await series.receive(...reportsOf(20, randoms(7)));
    const frozen = series.get(ReportRollUp).standing(clock, async (lease) => {
      clock.advance(5 * MINUTE_MS);
      expect(await series.get(ReportRollUp).run(clock)).toBeGreaterThan(0);
      await lease.hold();
    });
    await expect(frozen).rejects.toThrow('somebody else');
  });

  it('and a rebuild adds what is missing, takes off what is too much, and changes nothing when repeated', async () => {
    await series.receive(...reportsOf(60, randoms(5)));
    clock.set(new Date('2026-03-03T00:10:00Z'));
    await series.follow();
    await series.get(VitalsHistory).run(clock, new Date('2026-02-20T00:00:00Z'), 1_000_000);
    expect(await verify()).toEqual([]);
    const { db } = database;
    const counts = { 'values.12.heartbeats': 3, 'values.12.opened': -1 };
    await db.collection('ts_1h_202603').updateOne({ 'values.12': { $exists: true } }, { $inc: counts });
    await db.collection('ts_1m_20260302').deleteMany({});
    await db.collection('ts_taken').deleteOne({ time_zone: '*' });
    await db.collection('ts_vitals_202603').deleteMany({});
    const found = await verify();
    expect(new Set(found.map(({ tier }) => tier))).toEqual(new Set(['1m', '1h', 'tags', 'vitals']));
    const rebuild = (): Promise<Difference[]> =>
      series.get(Verifier).rebuild(RANGE, clock, new Date('2026-02-20T00:00:00Z'));
    expect(await rebuild()).toHaveLength(found.length);
    expect(await rebuild()).toEqual([]);
    await expectLevels();
  });

  it('from where version 0.1.0 had counted, whose late counts are taken over', async () => {
    const { db } = database;
    const early = new Date('2026-03-02T11:00:00Z');
    await series.receive(heartbeat(early), heartbeat(NOW));
    await db.collection('ts_writers').insertOne({ counted_until: new Date('2026-03-02T12:00:00Z') });
    const key = { _id: { metric: 'reports', timestamp: new Date('2026-03-02T00:00:00Z') } } as never;
    const late = { 11: { heartbeats: 1 } };
    await db
      .collection('ts_1h_202603')
      .insertOne({ ...(key as object), values: { 11: { opened: 2 } }, late });
    await db.collection('ts_marks').insertOne({ ...(key as object), marked_at: NOW, done: false });
    await series.follow();
    await series.get(RollUps).run(clock);
    const day = await db.collection('ts_1h_202603').findOne(key);
    expect(day).toMatchObject({ values: { 11: { opened: 2, heartbeats: 1 }, 12: { heartbeats: 1 } } });
    expect(day).not.toHaveProperty('late');
    await series.get(RangedCollections).dropExpired(clock.now());
    expect(await db.listCollections({ name: 'ts_writers' }).toArray()).toEqual([]);
  });
});

describe('the vitals of a bottle', () => {
  it('are kept by the day when the day has passed, and drawn from there when the log has forgotten them', async () => {
    const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'));
    const database = await newDatabase('vitals');
    const series = await Timeseries.open(database.uri, clock);
    const bottle_id = new Types.ObjectId();
    for (const [time, battery_percent] of [
      ['2026-03-01T10:00:00Z', 80],
      ['2026-03-01T10:30:00Z', 60],
      ['2026-03-02T10:00:00Z', 50],
    ] as const)
      await series.receive(heartbeat(new Date(time), { bottle_id, battery_percent }));
    const closed = { bottle_id, action: 'closed', pills_taken: 1, number_of_pills: 7 } as const;
    await series.receive(action(new Date('2026-03-01T09:00:00Z'), closed));
    const since = new Date('2026-02-20T00:00:00Z');
    await series.get(VitalsHistory).run(clock, since, 1_000_000);
    const range = { from: new Date('2026-03-01T09:00:00Z'), to: new Date('2026-03-02T11:00:00Z') };
    const drawn = async (vital: 'battery' | 'pills'): Promise<(number | null)[]> => {
      const chart = await series
        .get(VitalsCharts)
        .chart(bottle_id, vital, { ...range, step: '1h', timeZone: 'UTC' }, since, clock.now());
      return chart.columns[1]!.filter((value) => value !== null);
    };
    expect(await drawn('battery')).toEqual([70, 50]);
    await database.db.collection('bottle_heartbeats').deleteMany({ time: { $lt: new Date('2026-03-02') } });
    expect(await drawn('battery')).toEqual([70, 50]);
    expect(await drawn('pills')).toEqual([7]);
    expect(await database.db.collection('ts_vitals_202603').find().toArray()).toEqual([
      {
        _id: { bottle_id, timestamp: new Date('2026-03-01T00:00:00Z') },
        hours: { 10: { battery: { num_samples: 2, total: 140, min: 60, max: 80 } } },
      },
    ]);
    await series.close();
    await database.drop();
  });
});
