import { HOUR_MS, DAY_MS } from '#domain';
import { COMPRESSED } from '#persistence';
import type { mongo } from 'mongoose';
import { type ChartOf, type Drawn, groupedBy, type Sample, startsOf, type Way } from '../samples.js';

const BY_HOUR = 'buckets_by_hour';
const BY_DAY = 'buckets_by_day';

interface Bucket {
  _id: { series: number; timestamp: Date };
  values: Record<string, { num_samples: number; total: number }>;
}

/**
 * Bucket documents as this project keeps them: an hour by the minute, and a copy, a day by the hour, for long charts.
 * A group costs one update a document.
 */
export const buckets: Way = {
  collections: [BY_HOUR, BY_DAY],
  async make(db) {
    for (const name of [BY_HOUR, BY_DAY]) await db.createCollection(name, COMPRESSED);
  },
  async write(db, group) {
    await Promise.all([
      db.collection<Bucket>(BY_HOUR).bulkWrite(
        updates(group, HOUR_MS, ({ time }) => time.getUTCMinutes()),
        { ordered: false },
      ),
      db.collection<Bucket>(BY_DAY).bulkWrite(
        updates(group, DAY_MS, ({ time }) => time.getUTCHours()),
        { ordered: false },
      ),
    ]);
  },
  read(db, series, chart) {
    const [name, length] = isLong(chart) ? [BY_DAY, DAY_MS] : [BY_HOUR, HOUR_MS];
    const ids = startsOf(chart, length).map((timestamp) => ({ series, timestamp }));
    return db.collection<Bucket>(name).find({ _id: { $in: ids } });
  },
  draw(found, chart): Drawn {
    const unit = isLong(chart) ? HOUR_MS : 60_000;
    const sums = new Map<number, { total: number; count: number }>();
    for (const { _id, values } of found as unknown as Bucket[])
      for (const [field, { num_samples, total }] of Object.entries(values)) {
        const at = _id.timestamp.getTime() + Number(field) * unit;
        const step = Math.floor(at / chart.step) * chart.step;
        const sum = sums.get(step) ?? { total: 0, count: 0 };
        sums.set(step, { total: sum.total + total, count: sum.count + num_samples });
      }
    return new Map([...sums].map(([step, { total, count }]) => [step, total / count]));
  },
};

const isLong = ({ step }: ChartOf): boolean => step >= HOUR_MS;

function updates(
  group: readonly Sample[],
  length: number,
  fieldOf: (sample: Sample) => number,
): mongo.AnyBulkWriteOperation<Bucket>[] {
  const byDocument = groupedBy(group, ({ series, time }) => ({
    series,
    timestamp: Math.floor(time.getTime() / length) * length,
  }));
  return [...byDocument.values()].map(({ key, samples }) => {
    const sums: Record<string, number> = {};
    const add = (path: string, amount: number): void => void (sums[path] = (sums[path] ?? 0) + amount);
    for (const sample of samples)
      for (const path of [`values.${fieldOf(sample)}.`, '']) {
        add(`${path}num_samples`, 1);
        add(`${path}total`, sample.value);
      }
    const filter = { _id: { series: key.series, timestamp: new Date(key.timestamp) } };
    return { updateOne: { filter, update: { $inc: sums }, upsert: true } };
  });
}
