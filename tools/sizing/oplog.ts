import { mongo } from 'mongoose';

const UNAUTHORIZED = 13;

/** Reads by how much the operations on one database grew the replica set's oplog. */
export class OplogMeter {
  constructor(
    private readonly client: mongo.MongoClient,
    private readonly database: string,
  ) {}

  /**
   * Does something and says how many bytes of oplog it made.
   *
   * @returns undefined where the log cannot be read: behind a mongos, or without the right to.
   */
  async bytesOf(work: () => Promise<void>): Promise<number | undefined> {
    const before = await this.lastWrite();
    await work();
    return before && this.bytesSince(before);
  }

  private async lastWrite(): Promise<mongo.Timestamp | undefined> {
    const hello = await this.client.db('admin').command({ hello: 1 });
    return (hello['lastWrite'] as { opTime?: { ts?: mongo.Timestamp } } | undefined)?.opTime?.ts;
  }

  private async bytesSince(ts: mongo.Timestamp): Promise<number | undefined> {
    const mine = new RegExp(`^${this.database}\\.`);
    try {
      const [found] = await this.client
        .db('local')
        .collection('oplog.rs')
        .aggregate<{ bytes: number }>([
          // a newer server writes the inserts of one command as one entry
          { $match: { ts: { $gt: ts }, $or: [{ ns: mine }, { 'o.applyOps.ns': mine }] } },
          { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
        ])
        .toArray();
      return found?.bytes;
    } catch (error) {
      if (error instanceof mongo.MongoServerError && error.code === UNAUTHORIZED) return undefined;
      throw error;
    }
  }
}
