import { mongo } from 'mongoose';
import { LONG_COMMAND } from '../database/time-limits.js';

const OLD_INDEXES = ['late', 'open', 'by_medication', 'never_heard'];

/**
 * Brings the states of versions before 0.1.0 up to date: `quiet` takes the place of `never_heard`, and other indexes serve the
 * lists. Does nothing where it was done; a start that is cut short does it again.
 */
export async function migrateQuiet(states: mongo.Collection): Promise<void> {
  const found = new Set((await states.indexes()).map(({ name }) => name));
  if (!found.has('never_heard')) return;
  const silent = { silent: true, silent_at: null };
  await states.updateMany(
    { never_heard: true },
    { $set: { quiet: 'never_heard' }, $unset: { never_heard: '' } },
    LONG_COMMAND,
  );
  await states.updateMany(silent, { $set: { quiet: 'silent' } }, LONG_COMMAND);
  // the one that says whether this was done goes last
  for (const name of OLD_INDEXES.filter((old) => found.has(old))) await states.dropIndex(name);
}
