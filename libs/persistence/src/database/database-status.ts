import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';

/** Thrown at once, without asking, while no server takes writes. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor() {
    super('no database server takes writes now');
  }
}

const WRITABLE = new Set<string>(['RSPrimary', 'Standalone', 'Mongos', 'LoadBalancer']);

/** Knows from the driver's monitoring whether the database takes writes, so that a refusal costs nothing. */
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

  /** A real question to the server. @throws when it does not answer within two seconds. */
  async ping(): Promise<void> {
    await this.connection.db!.command({ ping: 1 }, { signal: AbortSignal.timeout(2_000) });
    this.assertWritable();
  }
}
