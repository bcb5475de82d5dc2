import type { mongo } from 'mongoose';

/** What the database read for one query. */
export interface QueryCost {
  collection: string;
  examined: number;
  returned: number;
  /** A count or a sum: it reads what it counts, and returns one number. */
  counts: boolean;
}

interface Profiled {
  ns: string;
  command: { find?: string; aggregate?: string; count?: string; pipeline?: Record<string, unknown>[] };
  keysExamined?: number;
  docsExamined?: number;
  nreturned?: number;
}

/** The change stream, which follows the oplog. */
const FOLLOWING = /\$cmd\.aggregate$/;

/** Every query that reaches the database meanwhile, as its profiler sees it. */
export async function queryCosts(db: mongo.Db, work: () => Promise<unknown>): Promise<QueryCost[]> {
  await db.command({ profile: 2, filter: { op: { $in: ['query', 'command', 'getmore'] } } });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const found = await db
    .collection<Profiled>('system.profile')
    .find({ keysExamined: { $exists: true }, ns: { $not: FOLLOWING } })
    .toArray();
  return found.map(({ ns, command, keysExamined = 0, docsExamined = 0, nreturned = 0 }) => ({
    collection: ns.slice(ns.indexOf('.') + 1),
    examined: Math.max(keysExamined, docsExamined),
    returned: nreturned,
    counts: command.count !== undefined || (command.pipeline ?? []).some((stage) => '$group' in stage),
  }));
}
