import { DAY_MS, HOUR_MS } from '#domain';
import { COMPRESSED } from '#persistence';
import type { mongo } from 'mongoose';
import { averaged, drawAveraged, groupedBy, type Sample, type Way } from '../samples.js';

const NAME = 'nested';
const DUPLICATE_KEY = 11_000;

/** A month a document, complete with days, hours and minutes as arrays and sums at each level: 002. */
export const nested: Way = {
  collections: [NAME],
  async make(db) {
    await (await db.createCollection(NAME, COMPRESSED)).createIndex({ series: 1, date: 1 }, { unique: true });
  },
  async write(db, group) {
    const months = groupedBy(group, ({ series, time }) => ({ series, date: monthOf(time) }));
    await Promise.all([...months.values()].map(({ key, samples }) => add(db, key, samples)));
  },
  read(db, series, chart) {
    const months = new Set([monthOf(chart.from), monthOf(new Date(chart.to.getTime() - 1))]);
    for (let at = chart.from.getTime(); at < chart.to.getTime(); at += DAY_MS)
      months.add(monthOf(new Date(at)));
    const within = (path: string): mongo.Document => ({
      $match: { [path]: { $gte: chart.from, $lt: chart.to } },
    });
    // whole hours are kept as sums, so that minutes are unwound for short charts alone
    const levels = chart.step >= HOUR_MS ? ['days.hours'] : ['days.hours', 'days.hours.minutes'];
    const finest = levels.at(-1)!;
    const day = new Date(Math.floor(chart.from.getTime() / DAY_MS) * DAY_MS);
    return db.collection(NAME).aggregate([
      { $match: { series, date: { $in: [...months].map((date) => new Date(date)) } } },
      { $unwind: '$days' },
      { $match: { 'days.date': { $gte: day, $lt: chart.to } } },
      ...levels.flatMap((path) => [{ $unwind: `$${path}` }, within(`${path}.date`)]),
      ...averaged(`$${finest}.date`, chart, {
        total: { $sum: `$${finest}.total` },
        count: { $sum: `$${finest}.num_samples` },
      }),
    ]);
  },
  draw: drawAveraged,
};

/** Update; where nothing matched, insert the zeros, whoever else does; update again. */
async function add(db: mongo.Db, key: { series: number; date: number }, samples: Sample[]): Promise<void> {
  const months = db.collection(NAME);
  const filter = { series: key.series, date: new Date(key.date) };
  const update = { $inc: sumsOf(key.date, samples) };
  if ((await months.updateOne(filter, update)).matchedCount > 0) return;
  try {
    await months.insertOne(emptyMonth(filter));
  } catch (error) {
    if ((error as mongo.MongoServerError).code !== DUPLICATE_KEY) throw error;
  }
  await months.updateOne(filter, update);
}

function sumsOf(month: number, samples: Sample[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { time, value } of samples) {
    const day = `days.${Math.floor((time.getTime() - month) / DAY_MS)}.`;
    const hour = `${day}hours.${time.getUTCHours()}.`;
    for (const level of ['', day, hour, `${hour}minutes.${time.getUTCMinutes()}.`]) {
      sums[`${level}num_samples`] = (sums[`${level}num_samples`] ?? 0) + 1;
      sums[`${level}total`] = (sums[`${level}total`] ?? 0) + value;
    }
  }
  return sums;
}

function emptyMonth({ series, date }: { series: number; date: Date }): mongo.Document {
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  const nothing = { num_samples: 0, total: 0 };
  const parts = <T>(from: number, count: number, length: number, rest: (at: number) => T): object[] =>
    Array.from({ length: count }, (_, n) => from + n * length).map((at) => ({
      date: new Date(at),
      ...nothing,
      ...rest(at),
    }));
  const minutes = (at: number): object[] => parts(at, 60, 60_000, () => ({}));
  const hours = (at: number): object[] => parts(at, 24, HOUR_MS, (hour) => ({ minutes: minutes(hour) }));
  const days = parts(date.getTime(), (end - date.getTime()) / DAY_MS, DAY_MS, (at) => ({ hours: hours(at) }));
  return { series, date, ...nothing, days };
}

const monthOf = (time: Date): number => Date.UTC(time.getUTCFullYear(), time.getUTCMonth());
