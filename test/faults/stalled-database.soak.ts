import { BottleHeartbeatsRepository } from '#persistence';
import { mongo } from 'mongoose';
import { Persistence } from '../lab/persistence.js';
import { newDatabase, type TestDatabase } from '../../tools/harness/database.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMAND_LIMIT_MS } from '../../libs/persistence/src/database/time-limits.js';
import { DatabaseProxy } from '../support/database-proxy.js';

/** Far more than the buffers of a socket hold. */
const HEARTBEATS = 50_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
let persistence: Persistence;
let heartbeats: BottleHeartbeatsRepository;

beforeAll(async () => {
  database = await newDatabase('stalled-database');
  proxy = await DatabaseProxy.start(database.uri);
  persistence = await Persistence.open(proxy.uri);
  heartbeats = persistence.get(BottleHeartbeatsRepository);
});

afterAll(async () => {
  proxy?.goOn();
  await persistence?.close();
  await proxy?.stop();
  await database?.drop();
});

const group = (): Parameters<BottleHeartbeatsRepository['insert']>[0] =>
  Array.from({ length: HEARTBEATS }, () => ({
    _id: new mongo.ObjectId(),
    bottle_id: new mongo.ObjectId(),
    user_id: 'willcross1024',
    medication: 'Cordrazine',
    time: new Date('2026-03-02T08:00:00Z'),
  }));

it('a group that is cut off while it is being sent fails; it does not wait for ever', async () => {
  proxy.stall();
  await expect(heartbeats.insert(group())).rejects.toThrow();
  proxy.goOn();
  expect(await heartbeats.insert(group().slice(0, 1))).toEqual(new Map());
});

it('an index that takes longer than other commands may is built', async () => {
  proxy.hold((chunk) => chunk.includes('createIndexes'));
  const opening = Persistence.open(proxy.uri);
  await sleep(COMMAND_LIMIT_MS + 2_000);
  proxy.goOn();
  await (await opening).close();
});
