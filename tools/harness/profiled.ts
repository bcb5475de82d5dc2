import type { mongo } from 'mongoose';

/** The profiler keeps 1 MB by itself: hundreds of commands. */
const PROFILE_BYTES = 64e6;

/** What the database's profiler wrote down while `work` went on, of these kinds of operations. */
export async function profiled<T extends mongo.Document>(
  db: mongo.Db,
  { ops, wanted }: { ops: string[]; wanted: mongo.Filter<mongo.Document> },
  work: () => Promise<unknown>,
): Promise<T[]> {
  await db.command({ profile: 0 });
  await makeProfile(db);
  await db.command({ profile: 2, filter: { op: { $in: ops } } });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  return db.collection('system.profile').find<T>(wanted).toArray();
}

/** An operation that began while the profiler was on still makes its entry, and with it the collection. */
async function makeProfile(db: mongo.Db): Promise<void> {
  for (let isMade = false; !isMade;) {
    await db.collection('system.profile').drop();
    isMade = await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES }).then(
      () => true,
      (error: mongo.MongoServerError) => {
        if (error.codeName !== 'NamespaceExists') throw error;
        return false;
      },
    );
  }
}
