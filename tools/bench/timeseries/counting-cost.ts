import type { mongo } from 'mongoose';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { atLeast, type Line, perSecond } from '../report/line.js';
import { fleetDatabase } from '../fixtures/fleet-database.js';
import { acknowledged } from '../load/load-client.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 10_000;
const CONNECTIONS = 128;
/** Short, and many of them: what else the machine does comes and goes, and neighbours have it in common. */
const SECONDS = 2;
const ROUNDS = 25;
const WARM_UP_ROUNDS = 3;

/** Line 14: what the counts behind the charts cost the way of a report. */
export async function countingCost(harness: BenchHarness): Promise<Line[]> {
  const counted = await contender(harness, 'counted', (db) => harness.deviceApi(db));
  const uncounted = await contender(harness, 'uncounted', (db) => harness.baseline('uncounted', db));
  const rates = await inTurn({ counted: counted.measure, uncounted: uncounted.measure }, ROUNDS);
  const processor = `${await counted.finish()} counted, ${await uncounted.finish()} not`;
  const ratios = ratio(rates.counted, rates.uncounted);
  return [
    {
      ...atLeast(14, 'heartbeats with the counts of the charts ÷ without', 0.95, ratios),
      figures: {
        counted: perSecond(spread(rates.counted).median),
        'not counted': perSecond(spread(rates.uncounted).median),
        'processor time of device-api a heartbeat': processor,
      },
    },
  ];
}

interface Contender {
  /** Acknowledged a second. */
  measure: () => Promise<number>;
  /** Stops it and says how much of the processor a heartbeat took. */
  finish: () => Promise<string>;
}

async function contender(
  harness: BenchHarness,
  name: string,
  start: (db: mongo.Db) => Promise<ServiceProcess>,
): Promise<Contender> {
  const db = await fleetDatabase(harness, name, BOTTLES);
  const server = await start(db);
  let heartbeats = 0;
  const measure = async (): Promise<number> => {
    const order = { url: server.url, path: '/v1/heartbeats', connections: CONNECTIONS, bottles: BOTTLES };
    const result = await harness.load.run({ ...order, seconds: SECONDS });
    heartbeats += acknowledged(result);
    return acknowledged(result) / result.seconds;
  };
  // the first seconds make plans and compile
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await measure();
  heartbeats = 0;
  const before = server.cpuMs();
  return {
    measure,
    finish: async () => {
      const each = (1_000 * (server.cpuMs() - before)) / heartbeats;
      await server.stop();
      await db.dropDatabase();
      return `${each.toFixed(1)} µs`;
    },
  };
}
