import type { mongo } from 'mongoose';

/** The profiler keeps 1 MB by itself: hundreds of commands. */
const PROFILE_BYTES = 64e6;

/** What the database's profiler wrote down while `work` went on, of these kinds of operations. */
export async function profiled<T extends mongo.Document>(
  db: mongo.Db,
  { ops, wanted }: { ops: string[]; wanted: mongo.Filter<mongo.Document> },
  work: () => Promise<unknown>,
): Promise<T[]> {
  const profile = db.collection('system.profile');
  await db.command({ profile: 0 });
  await profile.drop();
  await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await db.command({ profile: 2, filter: { op: { $in: ops } } });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  return profile.find<T>(wanted).toArray();
}
