import { mongo } from 'mongoose';
import type { Vitals } from '../load/vitals.js';

const SILENT_AFTER_MS = 60 * 60_000;
const OPEN_AFTER_MS = 5 * 60_000;
const MAX_GROUP = 1_000;
const IN_FLIGHT = 2;

/** What the log keeps of a heartbeat. */
export interface HeartbeatDocument extends Partial<Vitals> {
  _id: mongo.ObjectId;
  bottle_id: mongo.ObjectId;
  user_id: string;
  medication: string;
  time: Date;
}

/** What a contact changes of a bottle's state, as device-api's update says it. */
export function contactUpdate(receivedAt: Date): {
  $max: Record<string, Date>;
  $unset: Record<string, ''>;
} {
  return {
    $max: { last_heard_at: receivedAt, silent_at: new Date(receivedAt.getTime() + SILENT_AFTER_MS) },
    $unset: { quiet: '', unheard: '', vitals: '' },
  };
}

/** The durable writes of a group of heartbeats through the bare driver: the log, then the states. */
export async function writeHeartbeats(
  db: mongo.Db,
  documents: HeartbeatDocument[],
  receivedAt: Date,
): Promise<void> {
  await db.collection<HeartbeatDocument>('bottle_heartbeats').insertMany(documents, { ordered: false });
  await db
    .collection<{ _id: mongo.ObjectId }>('bottle_states')
    .updateMany({ _id: { $in: documents.map(({ bottle_id }) => bottle_id) } }, contactUpdate(receivedAt));
}

/** What the log keeps of an action. */
export interface ActionDocument {
  _id: mongo.ObjectId;
  bottle_id: mongo.ObjectId;
  user_id: string;
  medication: string;
  action: 'opened' | 'closed';
  time: Date;
  received_at: Date;
  mass_of_contents: number;
  number_of_pills: number;
  pills_taken?: number;
}

/** The durable writes of a group of actions: the log, then one update of each bottle's state, if it is newer. */
export async function writeActions(db: mongo.Db, documents: ActionDocument[]): Promise<void> {
  await db.collection<ActionDocument>('bottle_actions').insertMany(documents, { ordered: false });
  await db.collection<{ _id: mongo.ObjectId }>('bottle_states').bulkWrite(
    documents.map((document) => ({
      updateMany: {
        filter: { _id: document.bottle_id, 'last_action.time': { $not: { $gte: document.time } } },
        update: actionUpdate(document),
      },
    })),
    { ordered: false },
  );
}

/** What an action and its contact change of a bottle's state, as device-api's update says it. */
function actionUpdate(document: ActionDocument): object {
  const { _id: id, action, time, received_at, mass_of_contents, number_of_pills, pills_taken } = document;
  const { $max, $unset } = contactUpdate(received_at);
  const last_action = { id, action, time, received_at, mass_of_contents, number_of_pills };
  const unset = { ...$unset, open_inhibited: '', open_unchanged: '' };
  if (action === 'opened') {
    const open_overdue_at = new Date(time.getTime() + OPEN_AFTER_MS);
    return { $max, $set: { last_action, open: true, open_overdue_at }, $unset: unset };
  }
  return {
    $max,
    $set: { last_action },
    $unset: { ...unset, open: '', open_overdue_at: '' },
    $min: { dose_due_at: received_at },
    ...(pills_taken && { $addToSet: { unjudged_removals: { id, time } } }),
  };
}

interface Waiting<D> {
  document: D;
  done: (error?: unknown) => void;
}

/**
 * What comes while a write is under way is the next group. It goes beside the one under way when it is as large: then
 * groups stay large, and neither this process nor the database waits for the other.
 */
export class GroupWriter<D> {
  private waiting: Waiting<D>[] = [];
  private groups = 0;
  private underWay = 0;
  private starting = false;

  constructor(private readonly store: (documents: D[], receivedAt: Date) => Promise<void>) {}

  add(document: D, done: (error?: unknown) => void): void {
    this.waiting.push({ document, done });
    if (this.starting) return;
    this.starting = true;
    setImmediate(() => {
      this.starting = false;
      void this.write();
    });
  }

  private async write(): Promise<void> {
    const full = Math.min(this.underWay, MAX_GROUP);
    if (this.waiting.length === 0 || this.groups === IN_FLIGHT || this.waiting.length < full) return;
    const group = this.waiting.splice(0, MAX_GROUP);
    this.groups += 1;
    this.underWay += group.length;
    const time = new Date();
    try {
      await this.store(
        group.map(({ document }) => document),
        time,
      );
      for (const { done } of group) done();
    } catch (error) {
      for (const { done } of group) done(error);
    }
    this.groups -= 1;
    this.underWay -= group.length;
    void this.write();
  }
}
