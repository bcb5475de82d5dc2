import { ErasuresRepository, overwrittenAt, PeopleRepository } from '#persistence';
import type { Clock, DatabaseConfig } from '#platform';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { ErasureRequest } from '../command-line.js';
import { withDatabase } from '../with-database.js';
import { mentionsByCollection, namesAny, type Oplog, readOplog } from './mentions.js';

/** Something of the person is still there; the message says where. */
export class ErasureError extends Error {}

/** What stays of an erased bottle: who did what with it, and that it was erased. Both name it by its id. */
const KEEP_BOTTLE_IDS: readonly string[] = ['audit', 'erasures'];

/**
 * Looks for an erased person in everything that the database has: every document of every collection for the user id
 * and the ids of the bottles that were theirs, and its oplog.
 *
 * @throws ErasureError when something is found
 */
export async function verifyErasure(
  { userId }: ErasureRequest,
  config: DatabaseConfig,
  { say, clock }: { say: (line: string) => void; clock: Clock },
): Promise<void> {
  await withDatabase(config, async (app) => {
    const erasure = await app
      .get(ErasuresRepository)
      .findById(await app.get(PeopleRepository).pseudonymOf(userId));
    if (!erasure?.erased_at) say('This person was not erased here, or the erasure has not ended.');
    const bottleIds = (erasure?.bottle_ids ?? []).map((id) => id.toHexString());
    const db = app.get<Connection>(getConnectionToken()).db!;
    const byUser = namesAny([userId]);
    const byAny = namesAny([userId, ...bottleIds]);
    const found = await mentionsByCollection(db, (name) => (KEEP_BOTTLE_IDS.includes(name) ? byUser : byAny));
    for (const [name, count] of found) say(`${name}: ${count} ${count === 1 ? 'document' : 'documents'}`);
    const oplog = await readOplog(db, byAny);
    say(sentenceOf(oplog, clock.now()));
    const inOplog = oplog ? oplog.mentions.count : 0;
    if (found.size > 0) throw new ErasureError('The person is still named in these collections.');
    if (inOplog > 0) throw new ErasureError('The person is still named in the oplog, and nowhere else.');
    if (oplog) say('Nothing names the person any more.');
  });
}

function sentenceOf(oplog: Oplog | undefined, now: Date): string {
  if (!oplog)
    return 'oplog: not searched. This database user may not read it, or MONGODB_URI names a mongos: search each shard.';
  const { mentions, since } = oplog;
  if (mentions.count === 0) return 'oplog: nothing';
  const until = overwrittenAt(mentions.last!, oplog, now);
  const entries = `${mentions.count} ${mentions.count === 1 ? 'entry' : 'entries'}`;
  const when = until ? `about ${until.toISOString().slice(0, 10)}` : 'in no foreseeable time';
  return `oplog: ${entries}, the last of ${mentions.last!.toISOString()}. At the rate since ${since.toISOString()} it is overwritten ${when}.`;
}
