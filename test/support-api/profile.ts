import type { Support } from './support.js';

/** What the database did for one query. */
export interface Work {
  collection: string;
  plan: string;
  examined: number;
  returned: number;
}

interface Profiled {
  ns: string;
  op: string;
  planSummary?: string;
  docsExamined?: number;
  keysExamined?: number;
  nreturned?: number;
}

/** The queries that really reach the database while something runs, by its own profiler, and what they cost. */
export async function profiled(support: Support, run: () => Promise<unknown>): Promise<Work[]> {
  const { db } = support.database;
  await db.command({ profile: 0 });
  await db.collection('system.profile').drop();
  await db.command({ profile: 2, filter: { op: { $in: ['query', 'command', 'getmore'] } } });
  await run();
  await db.command({ profile: 0 });
  const seen = await db
    .collection<Profiled>('system.profile')
    .find({ planSummary: { $exists: true }, 'command.find': { $exists: true } } as never)
    .toArray();
  return seen.map(({ ns, planSummary = '', docsExamined = 0, keysExamined = 0, nreturned = 0 }) => ({
    collection: ns.slice(ns.indexOf('.') + 1),
    plan: planSummary,
    examined: Math.max(docsExamined, keysExamined),
    returned: nreturned,
  }));
}

/** More than twice what it returns; one entry more shows that a range has ended. */
export const isWasteful = ({ examined, returned }: Work): boolean => examined > 2 * returned + 1;
