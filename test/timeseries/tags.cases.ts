import { ManualClock } from '#platform';
import { HeatMaps } from '#timeseries';
import type { mongo } from 'mongoose';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { action, Timeseries } from './timeseries.js';

describe('tags', () => {
  const NOW = new Date('2026-03-31T23:50:00Z');
  const WRITERS = 6;
  const REMOVALS = 40;

  let database: TestDatabase;
  let writers: Timeseries[];

  interface Level {
    pills_taken: number;
    doses: number;
  }
  type Hour = Level & { date: Date; minutes: Level[] };
  type Month = Level & { days: (Level & { date: Date; hours: Hour[] })[] } & mongo.Document;

  beforeEach(async () => {
    database = await newDatabase('tags');
    const clock = new ManualClock(NOW);
    writers = await Promise.all(Array.from({ length: WRITERS }, () => Timeseries.open(database.uri, clock)));
  });
  afterEach(async () => {
    await Promise.all(writers.map((writer) => writer.close()));
    await database.drop();
  });

  it('many notifiers that begin a month at once make one document, complete, and count each removal once', async () => {
    const [writer] = writers as [Timeseries];
    for (let index = 0; index < REMOVALS; index += 1) {
      const time = new Date(NOW.getTime() - index * 3_600_000);
      await writer.receive(action(time, { action: 'closed', pills_taken: 2, received_at: NOW }, 'UTC'));
    }
    const lease = { $set: { 'lease.ends_at': new Date(0) } };
    const captured = await Promise.all(
      writers.map((one) =>
        one.capture(async () => {
          // as if the one before had been taken for dead
          await database.db.collection('ts_progress').updateMany({}, lease);
          await one.follow();
        }),
      ),
    );
    const commands = captured.flatMap((one) => one.commands.map(({ commandName }) => commandName));
    expect(commands).toEqual(expect.arrayContaining(['findAndModify', 'insert']));

    const months = await database.db.collection<Month>('ts_taken').find({ time_zone: 'UTC' }).toArray();
    expect(months).toHaveLength(1);
    const month = months[0]!;
    const expected = { doses: REMOVALS, pills_taken: 2 * REMOVALS };
    const sum = (all: Level[]): Level => ({
      doses: all.reduce((total, { doses }) => total + doses, 0),
      pills_taken: all.reduce((total, { pills_taken }) => total + pills_taken, 0),
    });
    const hours = month.days.flatMap((day) => day.hours);
    expect([month.days.length, hours.length]).toEqual([31, 31 * 24]);
    expect(month).toMatchObject(expected);
    for (const all of [month.days, hours, hours.flatMap(({ minutes }) => minutes)])
      expect(sum(all)).toEqual(expected);
  });

  it('a range is answered from whole days and hours, at a month’s end and beyond it', async () => {
    const [writer] = writers as [Timeseries];
    // by the clocks of Kolkata the first of these is already April
    for (const [time, pills_taken] of [
      ['2026-03-31T20:00:00Z', 3],
      ['2026-03-31T17:00:00Z', 1],
      ['2026-03-29T17:00:00Z', 1],
    ] as const)
      await writer.receive(
        action(new Date(time), { action: 'closed', pills_taken, received_at: NOW }, 'Asia/Kolkata'),
      );
    await writer.follow();
    const of = (from: string, to: string): Promise<{ total: Level }> =>
      writer.get(HeatMaps).of('Cordrazine', 'Asia/Kolkata', new Date(from), new Date(to));
    expect((await of('2026-03-30', '2026-04-01')).total).toEqual({ pills_taken: 1, doses: 1 });
    expect((await of('2026-03-30', '2026-04-02')).total).toEqual({ pills_taken: 4, doses: 2 });
    expect((await of('2026-03-01', '2026-03-30')).total).toEqual({ pills_taken: 1, doses: 1 });
  });
});
