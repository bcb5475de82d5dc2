import type { mongo } from 'mongoose';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { atMost, type Line } from '../report/line.js';
import { fleetDatabase } from '../fixtures/fleet-database.js';
import { acknowledged } from '../load/load-client.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 20_000;
const CONNECTIONS = 128;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;

/** Line 5: what it costs to check bodies, where requests are cheapest: many at once. */
export async function validation(harness: BenchHarness): Promise<Line[]> {
  const checked = await contender(harness, 'checked', (db) => harness.deviceApi(db));
  const unchecked = await contender(harness, 'unchecked', (db) => harness.baseline('unchecked', db));
  const cost = await inTurn({ checked: checked.measure, unchecked: unchecked.measure });
  for (const { stop } of [checked, unchecked]) await stop();
  const each = (values: number[]): string => `${(spread(values).median * 1_000).toFixed(1)} µs`;
  return [
    {
      ...atMost(5, 'CPU a request with validation ÷ without', 1.1, ratio(cost.checked, cost.unchecked)),
      figures: { 'with, a request': each(cost.checked), 'without, a request': each(cost.unchecked) },
    },
  ];
}

interface Contender {
  /** Time on the processor a request. Milliseconds. */
  measure: () => Promise<number>;
  stop: () => Promise<void>;
}

async function contender(
  harness: BenchHarness,
  name: string,
  start: (db: mongo.Db) => Promise<ServiceProcess>,
): Promise<Contender> {
  const db = await fleetDatabase(harness, name, BOTTLES);
  const server = await start(db);
  const send = async (seconds: number): Promise<number> => {
    const before = server.cpuMs();
    const order = { url: server.url, path: '/v1/heartbeats', connections: CONNECTIONS, bottles: BOTTLES };
    const result = await harness.load.run({ ...order, seconds });
    return (server.cpuMs() - before) / acknowledged(result);
  };
  await send(WARM_UP_SECONDS);
  return {
    measure: () => send(SECONDS),
    stop: async () => {
      await server.stop();
      await db.dropDatabase();
    },
  };
}
