import type { mongo } from 'mongoose';
import { inTurn } from '../report/in-turn.js';
import { atLeast, type Line, perSecond } from '../report/line.js';
import { ratio, spread } from '../report/spread.js';
import { fleetDatabase } from '../stage/fleet-database.js';
import { acknowledged } from '../stage/load-process.js';
import type { ServerProcess } from '../stage/server-process.js';
import type { Stage } from '../stage/stage.js';

const BOTTLES = 10_000;
const CONNECTIONS = 128;
const SECONDS = 5;
const ROUNDS = 5;

/** Line 14: what the counts behind the charts cost the way of a report. */
export async function countingCost(stage: Stage): Promise<Line[]> {
  const counted = await contender(stage, 'counted', (db) => stage.deviceApi(db));
  const uncounted = await contender(stage, 'uncounted', (db) => stage.baseline('uncounted', db));
  const rates = await inTurn({ counted: counted.measure, uncounted: uncounted.measure }, ROUNDS);
  await counted.stop();
  await uncounted.stop();
  return [
    {
      ...atLeast(
        14,
        'heartbeats with the counts of the charts ÷ without',
        0.95,
        ratio(rates.counted, rates.uncounted),
      ),
      figures: {
        counted: perSecond(spread(rates.counted).median),
        'not counted': perSecond(spread(rates.uncounted).median),
      },
    },
  ];
}

async function contender(
  stage: Stage,
  name: string,
  start: (db: mongo.Db) => Promise<ServerProcess>,
): Promise<{ measure: () => Promise<number>; stop: () => Promise<void> }> {
  const db = await fleetDatabase(stage, name, BOTTLES);
  const server = await start(db);
  const measure = async (): Promise<number> => {
    const order = { url: server.url, path: '/v1/heartbeats', connections: CONNECTIONS, bottles: BOTTLES };
    const result = await stage.load.run({ ...order, seconds: SECONDS });
    return acknowledged(result) / result.seconds;
  };
  // the first seconds make plans and compile
  await measure();
  return {
    measure,
    stop: async () => {
      await server.stop();
      await db.dropDatabase();
    },
  };
}
