import { LONG_COMMAND } from '#persistence';
import type { mongo } from 'mongoose';
import { RangedCollections } from '../collections/ranged-collections.js';

/** In version 0.1.0 device-api counted; its processes recorded here up to when. */
const WRITERS = 'ts_writers';
const VITALS = ['mass', 'pills'];

type Counts = Record<string, Record<string, number>>;

/**
 * Brings what version 0.1.0 counted into the present form. May be cut short and done again.
 *
 * @returns up to when it had counted; undefined where it never did.
 */
export async function migrateCounts(collections: RangedCollections): Promise<Date | undefined> {
  const writers = collections.existing<{ counted_until: Date }>(WRITERS);
  const last = await writers.find().sort({ counted_until: -1 }).limit(1).next();
  if (!last) return undefined;
  for (const name of ['ts_1d', ...(await collections.namesOf('ts_1h'))])
    await addLate(collections.existing(name));
  for (const name of await collections.namesOf('ts_vitals'))
    await leaveHeartbeats(collections.existing(name));
  return last.counted_until;
}

/** What came too late for a finer tier was kept beside what was rolled up. */
async function addLate(documents: mongo.Collection): Promise<void> {
  for await (const { _id, late } of documents.find({ late: { $exists: true } })) {
    const sums = Object.entries(late as Counts).flatMap(([field, counts]) =>
      Object.entries(counts).map(([key, count]) => [`values.${field}.${key}`, count] as const),
    );
    await documents.updateOne(
      { _id, late: { $exists: true } },
      { $inc: Object.fromEntries(sums), $unset: { late: '' } },
    );
  }
}

/** A bottle's day counted openings and closings, too; these are read from the log now, for ever. */
async function leaveHeartbeats(documents: mongo.Collection): Promise<void> {
  const hours = Array.from({ length: 24 }, (_, hour) =>
    VITALS.map((vital) => [`hours.${hour}.${vital}`, '']),
  );
  const fields = { values: '', sums: '', ...Object.fromEntries(hours.flat()) };
  // no index leads there, and there is a document for each bottle
  await documents.updateMany({ sums: { $exists: true } }, { $unset: fields as never }, LONG_COMMAND);
}
