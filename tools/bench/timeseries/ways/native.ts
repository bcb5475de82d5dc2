import { COMPRESSED } from '#persistence';
import { averaged, drawAveraged, type Way } from '../samples.js';

const NAME = 'native';

/** MongoDB's own time-series collection. */
export const native: Way = {
  collections: [`system.buckets.${NAME}`],
  async make(db) {
    const timeseries = { timeField: 'time', metaField: 'series', granularity: 'minutes' } as const;
    await (
      await db.createCollection(NAME, { timeseries, ...COMPRESSED })
    ).createIndex({ series: 1, time: 1 });
  },
  async write(db, group) {
    await db.collection(NAME).insertMany(
      group.map((sample) => ({ ...sample })),
      { ordered: false },
    );
  },
  read: (db, series, chart) =>
    db
      .collection(NAME)
      .aggregate([
        { $match: { series, time: { $gte: chart.from, $lt: chart.to } } },
        ...averaged('$time', chart, { total: { $sum: '$value' }, count: { $sum: 1 } }),
      ]),
  draw: drawAveraged,
};
