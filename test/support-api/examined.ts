import type { Support } from './support.js';

/** What the database did for one query. */
export interface Examined {
  collection: string;
  filter: unknown;
  keys: number;
  documents: number;
  returned: number;
}

interface Profiled {
  ns: string;
  command: { find?: string; aggregate?: string; filter?: unknown; pipeline?: unknown };
  keysExamined?: number;
  docsExamined?: number;
  nreturned?: number;
}

/** Every query that the services send meanwhile, as the database's profiler saw it. */
export async function examinedBy(support: Support, work: () => Promise<unknown>): Promise<Examined[]> {
  const { db } = support.database;
  await db.command({ profile: 0 });
  await db.collection('system.profile').drop();
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const profiled = await db
    .collection('system.profile')
    .find<Profiled>({ op: { $in: ['query', 'command', 'getmore'] }, nreturned: { $exists: true } })
    .toArray();
  return profiled.map(({ ns, command, keysExamined = 0, docsExamined = 0, nreturned = 0 }) => ({
    collection: ns.split('.').slice(1).join('.'),
    filter: command.filter ?? command.pipeline,
    keys: keysExamined,
    documents: docsExamined,
    returned: nreturned,
  }));
}
