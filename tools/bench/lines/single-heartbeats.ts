import type { mongo } from 'mongoose';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { atLeast, type Line, perSecond } from '../report/line.js';
import { fleetDatabase } from '../fixtures/fleet-database.js';
import { acknowledged } from '../load/load-client.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 20_000;
const CONNECTIONS = 128;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;

/** Lines 1, 2 and 22: single heartbeats against bare node:http, what most would write, and empty ones. */
export async function singleHeartbeats(harness: BenchHarness): Promise<Line[]> {
  const contenders = {
    pillwatch: await contender(harness, 'device_api', (db) => harness.deviceApi(db)),
    bare: await contender(harness, 'bare_http', (db) => harness.baseline('bare-http', db)),
    plain: await contender(harness, 'plain_nest', (db) => harness.baseline('plain-nest', db)),
  };
  const { pillwatch, empty, bare, plain } = await inTurn({
    pillwatch: () => contenders.pillwatch.measure(),
    empty: () => contenders.pillwatch.measure(true),
    bare: () => contenders.bare.measure(),
    plain: () => contenders.plain.measure(),
  });
  const found = [];
  for (const { finish } of Object.values(contenders)) found.push(await finish());
  const figures = {
    'Pillwatch, acknowledged': perSecond(spread(pillwatch).median),
    'the same, empty': perSecond(spread(empty).median),
    'bare node:http': perSecond(spread(bare).median),
    'plain NestJS + Mongoose': perSecond(spread(plain).median),
    'acknowledged and found in the log': found.join(', '),
  };
  return [
    { ...atLeast(1, 'single heartbeats ÷ bare node:http', 0.85, ratio(pillwatch, bare)), figures },
    { ...atLeast(2, 'single heartbeats ÷ plain NestJS + Mongoose', 6, ratio(pillwatch, plain)), figures },
    {
      ...atLeast(22, 'single heartbeats with battery and signal ÷ empty', 0.9, ratio(pillwatch, empty)),
      figures,
    },
  ];
}

/** A service that takes single reports. */
export interface Contender {
  /** Acknowledged a second. */
  measure: (empty?: boolean) => Promise<number>;
  /** Its time on the processor a report, and mongod's, of all that was measured. Microseconds. */
  cpuUs: () => number;
  mongodUs: () => number;
  /** Stops it and says how many of what it acknowledged is in the log. @throws when one is missing. */
  finish: () => Promise<string>;
}

/** Starts one on a database of its own, and warms it up. */
export async function contender(
  harness: BenchHarness,
  name: string,
  start: (db: mongo.Db) => Promise<ServiceProcess>,
  reports: 'heartbeats' | 'actions' = 'heartbeats',
): Promise<Contender> {
  const db = await fleetDatabase(harness, name, BOTTLES);
  const server = await start(db);
  let [total, mongodMs] = [0, 0];
  const send = async (seconds: number, empty = false): Promise<number> => {
    const order = {
      url: server.url,
      path: `/v1/${reports}`,
      connections: CONNECTIONS,
      bottles: BOTTLES,
      empty,
      actions: reports === 'actions',
    };
    const mongodBefore = harness.mongodCpuMs();
    const result = await harness.load.run({ ...order, seconds });
    mongodMs += harness.mongodCpuMs() - mongodBefore;
    total += acknowledged(result);
    return acknowledged(result) / result.seconds;
  };
  await send(WARM_UP_SECONDS);
  const warmedUp = { total, mongodMs, cpuMs: server.cpuMs() };
  return {
    measure: (empty) => send(SECONDS, empty),
    cpuUs: () => ((server.cpuMs() - warmedUp.cpuMs) * 1_000) / (total - warmedUp.total),
    mongodUs: () => ((mongodMs - warmedUp.mongodMs) * 1_000) / (total - warmedUp.total),
    finish: async () => {
      await server.stop();
      const found = await db.collection(`bottle_${reports}`).countDocuments();
      await db.dropDatabase();
      if (found < total) throw new Error(`${name}: ${total} acknowledged, ${found} in the log`);
      return `${name} ${total} and ${found}`;
    },
  };
}
