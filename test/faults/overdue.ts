import { MINUTE_MS } from '#domain';
import { mongo } from 'mongoose';

/**
 * Bottles that were opened ten minutes ago and have spoken since, and that a device-api listened all the while and
 * goes on to: as it leaves them behind.
 */
export async function insertOpenBottles(db: mongo.Db, count: number, now: Date): Promise<mongo.ObjectId[]> {
  const opened = new Date(now.getTime() - 10 * MINUTE_MS);
  const action = {
    action: 'opened',
    time: opened,
    received_at: opened,
    mass_of_contents: 30,
    number_of_pills: 20,
  };
  const owner = { user_id: 'willcross1024', medication: 'Cordrazine' };
  const ids = Array.from({ length: count }, () => ({
    bottle: new mongo.ObjectId(),
    action: new mongo.ObjectId(),
  }));
  await db
    .collection('bottle_actions')
    .insertMany(ids.map((id) => ({ _id: id.action, bottle_id: id.bottle, ...owner, ...action })));
  await db.collection('bottle_states').insertMany(
    ids.map((id) => ({
      _id: id.bottle,
      ...owner,
      last_heard_at: now,
      silent_at: new Date(now.getTime() + 60 * MINUTE_MS),
      last_action: { id: id.action, ...action },
      open: true,
      open_overdue_at: new Date(opened.getTime() + 5 * MINUTE_MS),
    })),
  );
  const [from, until] = [new Date(now.getTime() - 60 * MINUTE_MS), new Date(now.getTime() + 60 * MINUTE_MS)];
  await db.collection('listening_spans').insertOne({ from, until });
  return ids.map(({ bottle }) => bottle);
}
