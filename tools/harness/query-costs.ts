import type { mongo } from 'mongoose';
import { profiled } from './profiled.js';

/** What the database read for one query. */
export interface QueryCost {
  collection: string;
  /** The filter, or the pipeline of an aggregation. */
  filter: unknown;
  plan: string;
  /** Entries of indexes. */
  keys: number;
  documents: number;
  returned: number;
  /** How many ranges of an index its filter names: values of `$in` multiply, branches of `$or` add up. */
  ranges: number;
  /** A count or a sum: it reads what it counts, and returns one number. */
  counts: boolean;
  /** Asks for the rest of an answer that did not come whole. */
  rest: boolean;
}

interface Command {
  count?: string;
  filter?: mongo.Document;
  query?: mongo.Document;
  pipeline?: mongo.Document[];
}

interface Profiled {
  ns: string;
  command: Command;
  /** Of a query whose answer goes on. */
  originatingCommand?: Command;
  planSummary?: string;
  keysExamined?: number;
  docsExamined?: number;
  nreturned?: number;
}

/** The change stream, which follows the oplog. */
const FOLLOWING = /\$cmd\.aggregate$/;

/** Every query that reaches the database meanwhile, as its profiler sees it. */
export async function queryCosts(db: mongo.Db, work: () => Promise<unknown>): Promise<QueryCost[]> {
  const found = await profiled<Profiled>(
    db,
    {
      ops: ['query', 'command', 'getmore'],
      wanted: { planSummary: { $exists: true }, nreturned: { $exists: true }, ns: { $not: FOLLOWING } },
    },
    work,
  );
  return found.map(costOf);
}

/**
 * How much a query reads for one that it returns. One entry more for each range shows where it ends: a lookup of 50
 * alerts, of which none has what is looked for, reads 50 entries. A clustered collection is its own index, and there
 * it is one at both ends.
 */
export function readPerReturned({ plan, keys, documents, returned, ranges }: QueryCost): number {
  const read = plan === 'CLUSTERED_IXSCAN' ? documents - 2 * ranges : Math.max(keys - ranges, documents);
  return Math.max(0, read) / Math.max(1, returned);
}

/** Reads more than twice what it returns. */
export const isWasteful = (cost: QueryCost): boolean => !cost.counts && readPerReturned(cost) > 2;

function costOf({ ns, command, originatingCommand, planSummary = '', ...work }: Profiled): QueryCost {
  const { count, filter, query, pipeline } = originatingCommand ?? command;
  const matched = filter ?? query ?? (pipeline?.[0]?.['$match'] as mongo.Document | undefined) ?? {};
  return {
    collection: ns.slice(ns.indexOf('.') + 1),
    filter: filter ?? query ?? pipeline,
    plan: planSummary,
    keys: work.keysExamined ?? 0,
    documents: work.docsExamined ?? 0,
    returned: work.nreturned ?? 0,
    ranges: rangesOf(matched),
    rest: originatingCommand !== undefined,
    counts: count !== undefined || (pipeline ?? []).some((step) => '$group' in step),
  };
}

function rangesOf(filter: mongo.Document): number {
  return Object.entries(filter).reduce((ranges, [field, value]) => {
    const branches = value as mongo.Document[];
    if (field === '$or') return ranges * branches.reduce((sum, branch) => sum + rangesOf(branch), 0);
    if (field === '$and') return ranges * branches.reduce((product, branch) => product * rangesOf(branch), 1);
    const values = (value as { $in?: unknown[] } | null)?.$in;
    return ranges * Math.max(1, values?.length ?? 1);
  }, 1);
}
