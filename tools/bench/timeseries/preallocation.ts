import { COMPRESSED } from '#persistence';
import type { mongo } from 'mongoose';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { type Line, perSecond } from '../report/line.js';
import type { BenchHarness } from '../harness.js';

/** Documents of a minute with a counter a second. */
const DOCUMENTS = 1_000;
const SECONDS = 60;
const SECOND_FIELDS = Object.fromEntries(Array.from({ length: SECONDS }, (_, second) => [String(second), 0]));

type Minute = { _id: number; seconds?: Record<string, number>; total: number };

/** Line 17: documents made ahead at their full size (001, 003), against documents that grow. */
export async function preallocation(harness: BenchHarness): Promise<Line[]> {
  const { ahead, growing } = await inTurn({
    ahead: () => countInto(harness, true),
    growing: () => countInto(harness, false),
  });
  return [
    {
      number: 17,
      what: 'counts into documents made ahead ÷ into documents that grow',
      target: 'no target: advice for an older storage engine',
      value: ratio(ahead, growing),
      met: true,
      figures: {
        'made ahead': perSecond(spread(ahead).median),
        growing: perSecond(spread(growing).median),
      },
    },
  ];
}

/** @returns updates a second, without the making ahead, which happens beforehand. */
async function countInto(harness: BenchHarness, ahead: boolean): Promise<number> {
  const db = harness.newDatabase('preallocation');
  const minutes = await db.createCollection<Minute>('minutes', COMPRESSED);
  const ids = Array.from({ length: DOCUMENTS }, (_, _id) => _id);
  if (ahead) await minutes.insertMany(ids.map((_id) => ({ _id, seconds: SECOND_FIELDS, total: 0 })));
  const start = performance.now();
  for (let second = 0; second < SECONDS; second += 1) {
    const $inc = { [`seconds.${second}`]: 1, total: 1 } as mongo.UpdateFilter<Minute>['$inc'];
    await minutes.bulkWrite(
      ids.map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: $inc! }, upsert: true } })),
      { ordered: false },
    );
  }
  const rate = (DOCUMENTS * SECONDS * 1_000) / (performance.now() - start);
  await db.dropDatabase();
  return rate;
}
