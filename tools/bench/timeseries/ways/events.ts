import { COMPRESSED } from '#persistence';
import { averaged, drawAveraged, type Way } from '../samples.js';

const NAME = 'events';

/** A document an event, as a table would have a row: what 000 and 003 begin with. */
export const events: Way = {
  collections: [NAME],
  async make(db) {
    await (await db.createCollection(NAME, COMPRESSED)).createIndex({ series: 1, time: 1 });
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
