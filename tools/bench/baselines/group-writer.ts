import { mongo } from 'mongoose';

const SILENT_AFTER_MS = 60 * 60_000;
const MAX_GROUP = 1_000;

/** What the log keeps of a heartbeat. */
export interface HeartbeatDocument {
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
    $unset: { quiet: '', unheard: '' },
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

interface Waiting {
  document: Omit<HeartbeatDocument, 'time'>;
  done: (error?: unknown) => void;
}

/** Groups as simply as it can be done: what comes while a write is under way is the next group. */
export class GroupWriter {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(private readonly db: mongo.Db) {}

  add(document: Omit<HeartbeatDocument, 'time'>, done: (error?: unknown) => void): void {
    this.waiting.push({ document, done });
    if (!this.writing) void this.write();
  }

  private async write(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, MAX_GROUP);
      const time = new Date();
      try {
        await writeHeartbeats(
          this.db,
          group.map(({ document }) => ({ ...document, time })),
          time,
        );
        for (const { done } of group) done();
      } catch (error) {
        for (const { done } of group) done(error);
      }
    }
    this.writing = false;
  }
}
