import { PersistenceModule } from '#persistence';
import type { DatabaseConfig } from '#platform';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** Opens the database, runs a command with its repositories, and closes it. */
export async function withDatabase<T>(
  config: DatabaseConfig,
  run: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const module = PersistenceModule.forRoot(config.MONGODB_URI, {
    heartbeatRetention: config.HEARTBEAT_RETENTION,
  });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
  try {
    return await run(app);
  } finally {
    await app.close();
  }
}
