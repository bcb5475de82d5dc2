import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import { changePipeline } from './change-pipeline.js';

/** One document that staff look at has changed. */
export interface Change {
  /** Where it stands in the order of all changes: a resume token's data. Later ones are greater, as text. */
  token: string;
  collection: 'bottles' | 'bottle_states' | 'alerts' | 'deliveries';
  /** The document's id. */
  id: string;
  /** Of an alert and of a delivery that still exist. */
  bottle_id?: string;
  /** Of a delivery that still exists. */
  alert_id?: string;
  /** Of a bottle: a list or a count may look different now. */
  listed: boolean;
}

/** What lies between the token and now is not in the database's log any more. */
export class ChangesLostError extends Error {
  override readonly name = 'ChangesLostError';
}

/** InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost. */
const LOST = new Set<unknown>([260, 280, 286]);
/** A question that nothing answers comes back after this long. */
const PATIENCE_MS = 500;

interface ChangeDocument extends Omit<Change, 'token' | 'bottle_id' | 'alert_id'> {
  _id: { _data: string };
  bottle_id?: string | null;
  alert_id?: string | null;
}

/** The changes of all that staff look at, in one order, from the database's change streams. */
@Injectable()
export class ChangesRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * @param watched ids of the bottles of which everything is wanted; of the others only what lists show.
   * @param after a token: what came later. From now on when undefined.
   */
  open(watched: readonly string[], after: string | undefined): ChangeReader {
    return new ChangeReader(
      this.connection.db!.watch<ChangeDocument, never>(changePipeline(watched), {
        // an alert's change says which bottle it is about
        fullDocument: 'updateLookup',
        maxAwaitTimeMS: PATIENCE_MS,
        ...(after === undefined ? {} : { resumeAfter: { _data: after } }),
      }),
    );
  }
}

/** Reads changes one after the other. A short interruption of the database is bridged by the driver. */
export class ChangeReader {
  constructor(private readonly stream: mongo.ChangeStream<ChangeDocument, never>) {}

  /**
   * The next change; undefined when none has come for half a second.
   *
   * @throws ChangesLostError; what the driver throws when the database stays away.
   */
  async next(): Promise<Change | undefined> {
    try {
      const change = (await this.stream.tryNext()) as ChangeDocument | null;
      if (change) return toChange(change);
    } catch (error) {
      if (error instanceof mongo.MongoServerError && LOST.has(error.code))
        throw new ChangesLostError(error.message);
      throw error;
    }
    if (this.stream.closed) throw new ChangesLostError('the database was dropped');
    return undefined;
  }

  /** The token of the last change that was read, or of a later moment up to which there was none. */
  get position(): string {
    return (this.stream.resumeToken as { _data: string })._data;
  }

  async close(): Promise<void> {
    await this.stream.close();
  }
}

function toChange({ _id, collection, id, bottle_id, alert_id, listed }: ChangeDocument): Change {
  return {
    token: _id._data,
    collection,
    id,
    listed,
    ...(bottle_id ? { bottle_id } : {}),
    ...(alert_id ? { alert_id } : {}),
  };
}
