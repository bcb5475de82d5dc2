import type { mongo } from 'mongoose';
import { bottleOf } from '../load/fleet.js';

const MINUTE_MS = 60_000;
const OPEN_AFTER_MS = 5 * MINUTE_MS;

/**
 * Bottles as device-api leaves them behind that will all have stood open for too long at the same moment, and
 * that it has listened all the while and goes on to.
 */
export async function openTogether(db: mongo.Db, bottles: number, due: Date): Promise<void> {
  const opened = new Date(due.getTime() - OPEN_AFTER_MS);
  const action = {
    action: 'opened',
    time: opened,
    received_at: opened,
    mass_of_contents: 30,
    number_of_pills: 20,
  };
  const fleet = Array.from({ length: bottles }, (_, n) => {
    const { _id, user_id, medication } = bottleOf(n);
    return { _id, user_id, medication };
  });
  const { insertedIds } = await db
    .collection('bottle_actions')
    .insertMany(fleet.map(({ _id, ...owner }) => ({ bottle_id: _id, ...owner, ...action })));
  await db.collection('bottle_states').insertMany(
    fleet.map((bottle, n) => ({
      ...bottle,
      last_heard_at: opened,
      silent_at: new Date(opened.getTime() + 60 * MINUTE_MS),
      last_action: { id: insertedIds[n], ...action },
      open: true,
      open_overdue_at: due,
    })),
  );
  const [from, until] = [opened, new Date(due.getTime() + 60 * MINUTE_MS)];
  await db.collection('listening_spans').insertOne({ from, until });
}
