import { PersistenceModule } from '#persistence';
import { NestFactory } from '@nestjs/core';
import type { mongo } from 'mongoose';
import { bottleOf, registered } from '../load/fleet.js';
import type { Stage } from './stage.js';

const GROUP = 5_000;
const YEAR_MS = 365 * 24 * 60 * 60_000;

/** A database as the services make it, collections and indexes, with a registered fleet that is heard for the first time. */
export async function fleetDatabase(stage: Stage, name: string, bottles: number): Promise<mongo.Db> {
  const db = stage.newDatabase(name);
  await makeIndexes(stage, db);
  const at = new Date();
  for (let from = 0; from < bottles; from += GROUP) {
    const group = Array.from({ length: Math.min(GROUP, bottles - from) }, (_, index) => from + index);
    await db.collection('bottles').insertMany(group.map((n) => registered(n, at)));
    await db.collection<{ _id: mongo.ObjectId }>('bottle_states').insertMany(
      group.map((n) => {
        const { _id, user_id, medication } = bottleOf(n);
        return { _id, user_id, medication, quiet: 'never_heard' };
      }),
    );
  }
  return db;
}

/** Through the product's own module, so that what is compared has the same indexes. */
export async function makeIndexes(stage: Stage, db: mongo.Db): Promise<void> {
  const module = PersistenceModule.forRoot(stage.uriOf(db), { heartbeatRetention: YEAR_MS });
  const app = await NestFactory.createApplicationContext(module, { logger: ['error'], abortOnError: false });
  await app.close();
}
