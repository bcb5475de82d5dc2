import { adherenceCounts, type DoseOutcome } from '#domain';
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
  for (const family of ['ts_1m', 'ts_5m', 'ts_1h'] as const)
    for (const name of await collections.namesOf(family)) await addAdherence(collections.existing(name));
  await addAdherence(collections.existing('ts_1d'));
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

/** Adherence was not counted; nobody could attest a dose, so the outcomes say all of it. */
async function addAdherence(documents: mongo.Collection): Promise<void> {
  for await (const { _id, values } of documents.find({ '_id.metric': 'doses' })) {
    const { timestamp } = _id as unknown as { timestamp: Date };
    const counted = Object.entries((values ?? {}) as Counts).map(
      ([field, outcomes]) => [field, sumsOf(outcomes)] as const,
    );
    await documents.updateOne(
      { _id: { metric: 'adherence', timestamp } },
      // what has been counted since stands
      [{ $set: { values: { $mergeObjects: [{ $literal: Object.fromEntries(counted) }, '$values'] } } }],
      { upsert: true },
    );
  }
}

function sumsOf(outcomes: Counts[string]): Counts[string] {
  const sums: Counts[string] = {};
  for (const [outcome, count] of Object.entries(outcomes))
    for (const key of adherenceCounts(outcome as DoseOutcome, undefined))
      sums[key] = (sums[key] ?? 0) + count;
  return sums;
}
