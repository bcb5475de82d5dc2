import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import { changePipeline } from './change-pipeline.js';

/** A change of one document that the console shows. */
export interface Change {
  /** The resume token's data: the position in the change feed. Later ones are greater as text. */
  token: string;
  collection: 'bottles' | 'bottle_states' | 'alerts' | 'deliveries' | 'attestations' | 'contacts';
  /** The document's id; of a contact the user's. */
  id: string;
  /** Of a statement, and of an alert and of a delivery that still exist. */
  bottle_id?: string;
  /** Of a delivery that still exists. */
  alert_id?: string;
  /** Of a bottle: a list or a count may look different now. */
  listed: boolean;
}

/** The changes since the token are no longer in the oplog. */
export class ChangesLostError extends Error {
  override readonly name = 'ChangesLostError';
}

/** InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost. */
const LOST = new Set<unknown>([260, 280, 286]);
/** How long the server waits for a change. */
const MAX_AWAIT_MS = 500;

interface ChangeDocument extends Omit<Change, 'token' | 'bottle_id' | 'alert_id'> {
  _id: { _data: string };
  bottle_id?: string | null;
  alert_id?: string | null;
}

/** The changes of everything that the console shows, in one order, from a change stream. */
@Injectable()
export class ChangesRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * @param watched ids of the bottles of which every change is included; of others, only what lists show
   * @param after the token after which to begin; undefined for now
   */
  open(watched: readonly string[], after: string | undefined): ChangeReader {
    return new ChangeReader(
      this.connection.db!.watch<ChangeDocument, never>(changePipeline(watched), {
        // an alert's change says which bottle it is about
        fullDocument: 'updateLookup',
        maxAwaitTimeMS: MAX_AWAIT_MS,
        ...(after === undefined ? {} : { resumeAfter: { _data: after } }),
      }),
    );
  }
}

/** Reads changes one by one. The driver survives a short interruption of the database. */
export class ChangeReader {
  constructor(private readonly stream: mongo.ChangeStream<ChangeDocument, never>) {}

  /**
   * The next change; undefined if there is none for half a second.
   *
   * @throws ChangesLostError; the driver's error if the database stays unavailable
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

  /** The token of the last change that was read, or of a later time up to which there was none. */
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
