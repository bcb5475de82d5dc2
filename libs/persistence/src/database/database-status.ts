import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import { type OplogWindow, readOplogWindow } from './oplog-window.js';

/** Whether the database failed, and not the record at hand: the caller stops what it is doing and retries later. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Mongo');
}

/** Thrown without a round trip while no server accepts writes. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor() {
    super('no database server accepts writes now');
  }
}

const WRITABLE = new Set<string>(['RSPrimary', 'Standalone', 'Mongos', 'LoadBalancer']);

/** Of the file system with the data. Bytes. */
interface DiskUse {
  fsUsedSize?: number;
  fsTotalSize?: number;
}

/** Follows the driver's monitoring, so that refusing a request while no server accepts writes costs nothing. */
@Injectable()
export class DatabaseStatus implements OnModuleInit {
  private writable = true;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  onModuleInit(): void {
    this.connection
      .getClient()
      .on('topologyDescriptionChanged', (change: mongo.TopologyDescriptionChangedEvent) => {
        this.writable = [...change.newDescription.servers.values()].some(({ type }) => WRITABLE.has(type));
      });
  }

  /** @throws DatabaseUnavailableError */
  assertWritable(): void {
    if (!this.writable) throw new DatabaseUnavailableError();
  }

  /** The clock of the server that accepts writes. */
  async readTime(): Promise<Date> {
    const { localTime } = await this.connection.db!.command({ hello: 1 });
    return localTime as Date;
  }

  /** The version of the server. */
  async readVersion(): Promise<string> {
    const { version } = await this.connection.db!.command({ buildInfo: 1 });
    return version as string;
  }

  /**
   * The share of its disk that the fullest server with data has left, 0 to 1; of a replica set the primary's.
   * Undefined where the server does not say.
   */
  async readFreeDisk(): Promise<number | undefined> {
    const stats = (await this.connection.db!.command({ dbStats: 1 })) as DiskUse & {
      raw?: Record<string, DiskUse>;
    };
    const shares = [stats, ...Object.values(stats.raw ?? {})].flatMap(({ fsUsedSize, fsTotalSize }) =>
      fsTotalSize ? [1 - (fsUsedSize ?? 0) / fsTotalSize] : [],
    );
    return shares.length === 0 ? undefined : Math.min(...shares);
  }

  /** See {@link readOplogWindow}. */
  readOplogWindow(): Promise<OplogWindow | undefined> {
    return readOplogWindow(this.connection.getClient());
  }

  /** Pings the server. @throws if it does not respond within two seconds. */
  async ping(): Promise<void> {
    await this.connection.db!.command({ ping: 1 }, { signal: AbortSignal.timeout(2_000) });
    this.assertWritable();
  }
}
