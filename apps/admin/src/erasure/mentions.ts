import { type OplogWindow, oplogTime, readOplogWindow } from '#persistence';
import { mongo } from 'mongoose';

/** How many documents of a collection, or entries of the oplog, name a person. */
export interface Mentions {
  count: number;
  /** Of the oplog: when the last of them was written. */
  last?: Date;
}

/** Whether a stored value, anywhere in it, has the text by itself, regardless of case. */
export type Names = (stored: unknown) => boolean;

/** @param texts a user id, ids of bottles */
export function namesAny(texts: readonly string[]): Names {
  const names = texts.map((text) => escapeForPattern(withoutCase(text)));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`, 'u');
  return (stored) => pattern.test(withoutCase(textOf(stored)));
}

/** Entries of the search separate what they have by NUL. */
function textOf(stored: unknown): string {
  return mongo.BSON.EJSON.stringify(stored).replaceAll(String.raw`\u0000`, ' ');
}

function withoutCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Reads every document of every collection of the database; views are read where they come from. */
export async function mentionsByCollection(
  db: mongo.Db,
  names: (collection: string) => Names,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    const inIt = names(name);
    let count = 0;
    for await (const document of db.collection(name).find()) if (inIt(document)) count += 1;
    if (count > 0) found.set(name, count);
  }
  return found;
}

/** The database's own log of changes, as far as it concerns one database. */
export interface Oplog extends OplogWindow {
  mentions: Mentions;
}

/** @returns undefined where this user may not read it, or the server has none (mongos) */
export async function readOplog(db: mongo.Db, names: Names): Promise<Oplog | undefined> {
  const window = await readOplogWindow(db.client);
  if (!window) return undefined;
  const mentions: Mentions = { count: 0 };
  const oplog = db.client.db('local').collection<{ ns: string; ts: mongo.Timestamp }>('oplog.rs');
  for await (const entry of oplog.find(entriesOf(db.databaseName))) {
    if (!names(entry)) continue;
    mentions.count += 1;
    mentions.last = oplogTime(entry.ts);
  }
  return { ...window, mentions };
}

/** Those of a database: changes of one transaction, and of a group, stand in one entry of the database `admin`. */
function entriesOf(name: string): object {
  // `/` comes after `.`
  return { $or: [{ ns: { $gte: `${name}.`, $lt: `${name}/` } }, { ns: 'admin.$cmd' }] };
}
