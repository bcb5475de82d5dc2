import { PersistenceModule } from '#persistence';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { randomBytes } from 'node:crypto';

/** A database of the project's own making, empty, with every index, and the repositories on it. */
export interface ScratchDatabase {
  app: INestApplicationContext;
  db: mongo.Db;
  client: mongo.MongoClient;
}

/** Long enough for the TTL to delete nothing of the sample. */
const KEEP_MS = 3_650 * 24 * 60 * 60_000;

/** Lets `work` have a new database beside the one that `uri` names, and drops it again whatever happens. */
export async function withScratchDatabase<T>(
  uri: string,
  work: (scratch: ScratchDatabase) => Promise<T>,
): Promise<T> {
  const name = `pillwatch_sizing_${randomBytes(4).toString('hex')}`;
  const module = PersistenceModule.forRoot(beside(uri, name), { heartbeatRetention: KEEP_MS });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
  const connection = app.get<Connection>(getConnectionToken());
  try {
    return await work({ app, db: connection.db!, client: connection.getClient() });
  } finally {
    await connection.db!.dropDatabase();
    await app.close();
  }
}

/** The same server and options, another database; whoever logs in still does so where they did. */
export function beside(uri: string, name: string): string {
  const [, server = uri, database = '', query = ''] = /^([^/]+\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  if (server.includes('@') && database !== '' && !options.has('authSource'))
    options.set('authSource', database);
  return `${server}/${name}${options.size > 0 ? `?${options.toString()}` : ''}`;
}
