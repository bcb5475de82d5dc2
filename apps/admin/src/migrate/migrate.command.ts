import { PersistenceModule } from '#persistence';
import type { DatabaseConfig } from '#platform';
import { NestFactory } from '@nestjs/core';

/** Brings the database up to this version, as every service does at its start: collections, indexes, migrations. */
export async function migrate({ MONGODB_URI, HEARTBEAT_RETENTION }: DatabaseConfig): Promise<void> {
  const module = PersistenceModule.forRoot(MONGODB_URI, { heartbeatRetention: HEARTBEAT_RETENTION });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
  await app.close();
}
