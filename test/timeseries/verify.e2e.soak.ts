import type { Difference } from '#timeseries';
import { ActivityReconcile, Comparison, Rebuild, Recounts, RollUps } from '#timeseries';
import { heartbeatId } from '#domain';
import { BottleActionsRepository, BottleHeartbeatsRepository } from '#persistence';
import { ManualClock } from '#platform';
import { type mongo, Types } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { soakOr } from '../support/in-soak.js';
import { action, heartbeat, Timeseries } from './timeseries.js';

const NOW = new Date('2026-03-02T12:00:30Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONES = ['Europe/Berlin', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'];
const RANGE = { from: new Date('2026-02-26T00:00:00Z'), to: new Date('2026-03-04T00:00:00Z') };

let database: TestDatabase;
let clock: ManualClock;
let bottles: { _id: Types.ObjectId; time_zone: string }[];

beforeEach(async () => {
  database = await testDatabase('verify');
  clock = new ManualClock(NOW);
  bottles = ZONES.map((time_zone) => ({ _id: new Types.ObjectId(), time_zone }));
  await database.db.collection('bottles').insertMany(
    bottles.map((bottle) => ({
      ...bottle,
      user_id: 'willcross1024',
      medication: 'Cordrazine',
      token_hash: bottle._id.toHexString(),
      schedule_versions: [],
      pauses: [],
    })),
  );
});
afterEach(() => database.drop());

/** A device-api's way with a group of reports: into the log, and what is new there is counted. */
async function receive(writer: Timeseries, reports: ReturnType<typeof heartbeat>[]): Promise<void> {
  const now = clock.now();
  await writer.recorder.expect(reports, now);
  const results = await Promise.all(
    reports.map(({ kind, document }) =>
      kind === 'heartbeat'
        ? writer.get(BottleHeartbeatsRepository).insert([document])
        : writer.get(BottleActionsRepository).insert([document]),
    ),
  );
  writer.recorder.record(
    reports.filter((_, index) => results[index]!.size === 0),
    now,
  );
}

/** Reports as they come: late by up to four days, in any order, some of them twice. */
function reportsOf(count: number, seed: number): ReturnType<typeof heartbeat>[] {
  const random = randoms(seed);
  return Array.from({ length: count }, () => {
    const { _id: bottle_id, time_zone } = bottles[Math.floor(random() * bottles.length)]!;
    const received = clock.now();
    if (random() < 0.5) {
      const id = heartbeatId(bottle_id.toHexString(), received, received);
      return heartbeat(received, {
        _id: new Types.ObjectId(id),
        bottle_id,
        battery_percent: Math.floor(random() * 100),
      });
    }
    const late = random() < 0.3 ? random() * 4 * DAY : random() * MINUTE;
    const time = new Date(received.getTime() - Math.floor(late));
    const said =
      random() < 0.5
        ? ({ action: 'opened' } as const)
        : { action: 'closed' as const, pills_taken: Math.floor(random() * 3) };
    return action(time, { bottle_id, received_at: received, ...said }, time_zone);
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

const heartbeatsSince = (): Date => new Date(clock.now().getTime() - 13 * DAY);
async function verify(series: Timeseries): Promise<Difference[]> {
  const found = await series.get(Comparison).all(RANGE, clock, heartbeatsSince());
  return found.filter(({ sure }) => sure);
}

/** Months by tags: what each level says of itself is the sum of the next. */
async function levels(): Promise<void> {
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

/** Lets the notifier's minutes pass. */
async function pass(series: Timeseries, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.advance(MINUTE);
    await series.get(Recounts).finishDue(clock, heartbeatsSince());
    await series.get(RollUps).run(clock);
  }
}

describe('every sum in every tier is the count in the log', () => {
  it('after late, shuffled and repeated input of several writers, and through all the tiers’ ages', async () => {
    const writers = [await Timeseries.open(database.uri, clock), await Timeseries.open(database.uri, clock)];
    for (let round = 0; round < 6; round += 1) {
      const reports = reportsOf(60, round);
      const again = reports.filter((_, index) => index % 3 === 0);
      await Promise.all([
        receive(writers[0]!, reports.slice(0, 40).reverse()),
        receive(writers[1]!, [...reports.slice(40), ...again]),
      ]);
      await Promise.all(writers.map((writer) => writer.recorder.flush()));
      clock.advance(5 * HOUR);
    }
    const [series] = writers as [Timeseries, Timeseries];
    expect(await verify(series)).toEqual([]);
    await levels();
    await Promise.all(writers.map((writer) => writer.close()));
  });

  // takes minutes
  if (soakOr(true, false)) {
    it('finds each of a lost group’s counts, and a rebuild under way with ingest mends them all', async () => {
      const writer = await Timeseries.open(database.uri, clock);
      const doomed = await Timeseries.open(database.uri, clock);
      await receive(writer, reportsOf(50, 1));
      await writer.recorder.flush();
      await receive(doomed, reportsOf(50, 2));
      await doomed.kill();
      expect((await verify(writer)).length).toBe(0);
      clock.advance(11 * SECOND);
      const found = await verify(writer);
      expect(new Set(found.map(({ tier }) => tier))).toEqual(
        new Set(['1m', '5m', '1h', '1d', 'tags', 'vitals']),
      );

      let group = 100;
      const rebuilt = await during(writer.get(Rebuild).run(RANGE, clock, heartbeatsSince()), async () => {
        await receive(writer, reportsOf(5, group));
        await writer.recorder.flush();
        group += 1;
      });
      expect(rebuilt.length).toBeGreaterThan(20);
      // nothing is on its way any more: not one count may be anything but what the log says
      clock.advance(MINUTE);
      expect(await writer.get(Comparison).all(RANGE, clock, heartbeatsSince())).toEqual([]);
      await levels();

      const before = await contents();
      const again = await during(writer.get(Rebuild).run(RANGE, clock, heartbeatsSince()), () => sleep(20));
      expect(again).toEqual([]);
      expect(await contents()).toEqual(before);
      await writer.close();
    });
  }
});

/** Lets the seconds pass, and something happen in each, until some work is done. */
async function during<T>(work: Promise<T>, happens: () => Promise<void>): Promise<T> {
  const state = { done: false };
  const ended = work.finally(() => (state.done = true));
  while (!state.done) {
    clock.advance(SECOND);
    await happens();
  }
  return ended;
}

/** Every count of every tier that is not 0: an hour that goes on gets further minutes in which nothing was. */
async function contents(): Promise<object> {
  const collections = await database.db.listCollections({ name: /^ts_(1|5|taken|vitals_2)/ }).toArray();
  const all: Record<string, unknown> = {};
  for (const { name } of collections)
    for (const { _id, values, hours, late, sums, days } of await database.db
      .collection(name)
      .find()
      .toArray()) {
      const counts = countsIn({ values, hours, late, sums, days });
      if (counts !== undefined) all[`${name} ${JSON.stringify(_id)}`] = counts;
    }
  return all;
}

/** The numbers of a document, by their names; undefined where there is none but 0. */
function countsIn(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? undefined : value;
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined;
  const counts = Object.entries(value)
    .map(([name, inner]) => [name, countsIn(inner)] as const)
    .filter(([, inner]) => inner !== undefined);
  return counts.length > 0 ? Object.fromEntries(counts) : undefined;
}

it('the hourly reconcile mends unasked what a dead process had not counted, however old the events', async () => {
  const writer = await Timeseries.open(database.uri, clock);
  const doomed = await Timeseries.open(database.uri, clock);
  await doomed.recorder.flush();
  await receive(writer, reportsOf(50, 3));
  await receive(doomed, reportsOf(50, 4));
  await doomed.kill();
  await writer.recorder.flush();
  clock.advance(5 * MINUTE);
  await writer.recorder.flush();
  const lost = await verify(writer);
  expect(lost.length).toBeGreaterThan(20);

  const first = await writer.get(ActivityReconcile).run(clock, heartbeatsSince());
  expect(first.recounting).toBeGreaterThan(5);
  await pass(writer, 3);
  expect(await verify(writer)).toEqual([]);
  expect(await writer.get(ActivityReconcile).run(clock, heartbeatsSince())).toEqual({
    differing: 0,
    recounting: 0,
  });
  await writer.close();
});

describe('the hourly reconcile is divided among notifiers', () => {
  const PAGES = 20;

  /** A fleet of two pieces, read in pages of 500; some bottles of each piece report. */
  async function largeFleet(): Promise<void> {
    const fleet = Array.from({ length: PAGES * 500 }, () => ({
      _id: new Types.ObjectId(),
      time_zone: 'Europe/Berlin',
    }));
    const owner = { user_id: 'willcross1024', medication: 'Cordrazine', schedule_versions: [], pauses: [] };
    await database.db
      .collection('bottles')
      .insertMany(fleet.map((bottle) => ({ ...bottle, ...owner, token_hash: bottle._id.toHexString() })));
    bottles = fleet.filter((_, index) => index % 1_000 === 0);
  }

  const reconcile = (series: Timeseries): Promise<{ differing: number; recounting: number }> =>
    series.get(ActivityReconcile).run(clock, heartbeatsSince());
  const rounds = () => database.db.collection('ts_rounds');

  it('so that the log of the fleet is read once, and compared as a whole', async () => {
    await largeFleet();
    const notifiers = [
      await Timeseries.open(database.uri, clock),
      await Timeseries.open(database.uri, clock),
    ];
    const [writer] = notifiers as [Timeseries];
    await receive(writer, reportsOf(50, 6));
    clock.advance(5 * MINUTE);
    // who has said nothing since would be taken for dead
    for (const { recorder } of notifiers) await recorder.flush();
    const work = await Promise.all(notifiers.map((one) => one.capture(() => reconcile(one))));
    const read = work.map(
      ({ commands }) => commands.filter(({ command }) => command['find'] === 'bottle_actions').length,
    );
    for (const pages of read) expect(pages).toBeGreaterThan(0);
    // a piece ends with a page that is not full
    expect(read[0]! + read[1]!).toBeLessThanOrEqual(PAGES + 4);
    expect(work.map(({ result }) => result)).toEqual(work.map(() => ({ differing: 0, recounting: 0 })));
    expect(await rounds().countDocuments()).toBe(0);

    await database.db
      .collection<{ values: object }>('ts_1m_20260302')
      .updateOne({ 'values.0.opened': { $gt: 0 } }, { $inc: { 'values.0.opened': 1 } });
    const found = await Promise.all(notifiers.map(reconcile));
    expect(found.reduce((sum, { differing }) => sum + differing, 0)).toBeGreaterThan(0);
    await Promise.all(notifiers.map((one) => one.close()));
  });

  it('and what a killed one had taken is read when its lease has run out, and not before', async () => {
    const series = await Timeseries.open(database.uri, clock);
    const doomed = await Timeseries.open(database.uri, clock);
    await doomed.recorder.flush();
    await receive(doomed, reportsOf(50, 5));
    await doomed.kill();
    clock.advance(5 * MINUTE);
    let looks = 0;
    // asked the fourth time when it has begun a round and taken nothing yet
    await series.get(ActivityReconcile).run(clock, heartbeatsSince(), undefined, () => (looks += 1) > 3);
    expect(await rounds().findOne()).toMatchObject({ pieces: [{}] });
    await rounds().updateOne({}, [
      {
        $set: {
          pieces: [
            { claim: { token: 'of a killed notifier', until: new Date(clock.now().getTime() + MINUTE) } },
          ],
        },
      },
    ]);
    expect(await reconcile(series)).toEqual({ differing: 0, recounting: 0 });
    clock.advance(MINUTE);
    expect((await reconcile(series)).recounting).toBeGreaterThan(5);
    await pass(series, 3);
    expect(await verify(series)).toEqual([]);
    await series.close();
  });
});
