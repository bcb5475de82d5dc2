import type { mongo } from 'mongoose';
import { inTurn } from '../report/in-turn.js';
import { atLeast, type Line, perSecond } from '../report/line.js';
import { ratio, spread } from '../report/spread.js';
import { fleetDatabase } from '../stage/fleet-database.js';
import { acknowledged } from '../stage/load-process.js';
import type { ServerProcess } from '../stage/server-process.js';
import type { Stage } from '../stage/stage.js';

const BOTTLES = 20_000;
const CONNECTIONS = 128;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;

/** Lines 1 and 2: single heartbeats against bare node:http, and against what most would write. */
export async function singleHeartbeats(stage: Stage): Promise<Line[]> {
  const contenders = {
    pillwatch: await contender(stage, 'device_api', (db) => stage.deviceApi(db)),
    bare: await contender(stage, 'bare_http', (db) => stage.baseline('bare-http', db)),
    plain: await contender(stage, 'plain_nest', (db) => stage.baseline('plain-nest', db)),
  };
  const { pillwatch, bare, plain } = await inTurn({
    pillwatch: contenders.pillwatch.measure,
    bare: contenders.bare.measure,
    plain: contenders.plain.measure,
  });
  const found = [];
  for (const { finish } of Object.values(contenders)) found.push(await finish());
  const figures = {
    'Pillwatch, acknowledged': perSecond(spread(pillwatch).median),
    'bare node:http': perSecond(spread(bare).median),
    'plain NestJS + Mongoose': perSecond(spread(plain).median),
    'acknowledged and found in the log': found.join(', '),
  };
  return [
    { ...atLeast(1, 'single heartbeats ÷ bare node:http', 0.85, ratio(pillwatch, bare)), figures },
    { ...atLeast(2, 'single heartbeats ÷ plain NestJS + Mongoose', 6, ratio(pillwatch, plain)), figures },
  ];
}

interface Contender {
  /** Acknowledged a second. */
  measure: () => Promise<number>;
  /** Stops it and says how many of what it acknowledged is in the log. @throws when one is missing. */
  finish: () => Promise<string>;
}

async function contender(
  stage: Stage,
  name: string,
  start: (db: mongo.Db) => Promise<ServerProcess>,
): Promise<Contender> {
  const db = await fleetDatabase(stage, name, BOTTLES);
  const server = await start(db);
  let total = 0;
  const send = async (seconds: number): Promise<number> => {
    const order = { url: server.url, path: '/v1/heartbeats', connections: CONNECTIONS, bottles: BOTTLES };
    const result = await stage.load.run({ ...order, seconds });
    total += acknowledged(result);
    return acknowledged(result) / result.seconds;
  };
  await send(WARM_UP_SECONDS);
  return {
    measure: () => send(SECONDS),
    finish: async () => {
      await server.stop();
      const found = await db.collection('bottle_heartbeats').countDocuments();
      await db.dropDatabase();
      if (found < total) throw new Error(`${name}: ${total} acknowledged, ${found} in the log`);
      return `${name} ${total} and ${found}`;
    },
  };
}
