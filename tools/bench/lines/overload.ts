import { inTurn, spread } from '../report/rounds.js';
import { atLeast, atMost, type Line, perSecond } from '../report/line.js';
import type { LoadResult } from '../load/load.js';
import { fleetDatabase } from '../fixtures/fleet-database.js';
import { acknowledged } from '../load/load-client.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 20_000;
const PEAK_CONNECTIONS = 256;
const PEAK_SECONDS = 4;
const OVERLOAD_SECONDS = 60;
/** More than wait and are written at once (6,000): the others are free to be refused. */
const OVERLOAD_CONNECTIONS = 8_000;
const AFTERWARDS_SECONDS = 8;

/** Lines 11 a and 10: the memory at the peak, and three times the load that it can take. */
export async function overload(harness: BenchHarness): Promise<Line[]> {
  const db = await fleetDatabase(harness, 'overload', BOTTLES);
  const server = await harness.deviceApi(db);
  const order = { url: server.url, path: '/v1/heartbeats', bottles: BOTTLES };
  const atPeak = async (): Promise<number> => {
    const result = await harness.load.run({ ...order, connections: PEAK_CONNECTIONS, seconds: PEAK_SECONDS });
    return acknowledged(result) / result.seconds;
  };
  await atPeak();
  const { peak } = await inTurn({ peak: atPeak });
  const most = spread(peak).median;
  const memory = server.peakMemoryMb();
  const flood = await harness.load.run({
    ...order,
    connections: OVERLOAD_CONNECTIONS,
    seconds: OVERLOAD_SECONDS,
    rate: 3 * most,
  });
  const after = await harness.load.run({
    ...order,
    connections: PEAK_CONNECTIONS,
    seconds: AFTERWARDS_SECONDS,
    rate: most / 2,
  });
  const memoryThen = server.peakMemoryMb();
  await server.stop();
  const found = await db.collection('bottle_heartbeats').countDocuments();
  await db.dropDatabase();
  const goodput = flood.acknowledgedBySecond.map((count) => count / most);
  const others = Object.keys(flood.statuses).filter((status) => !/^(2\d\d|503)$/.test(status));
  const back = normalAfter(after);
  const line = atLeast(10, 'three times the load for 60 s: goodput ÷ peak', 0.9, spread(goodput));
  return [
    {
      ...line,
      met: line.met && others.length === 0 && back <= 5,
      figures: {
        peak: perSecond(most),
        'sent at': perSecond(flood.sent / flood.seconds),
        'by status': JSON.stringify(flood.statuses),
        'a refusal takes, p99': `${flood.refusedP99.toFixed(0)} ms`,
        'nothing refused again after': `${back} s`,
        'in the log at the end': String(found),
      },
    },
    {
      ...atMost(11, 'memory of device-api at the peak', 250, spread([memory]), 'MB'),
      figures: {},
    },
    {
      ...atMost(11, 'memory of device-api after the overload, at most', 400, spread([memoryThen]), 'MB'),
      figures: { 'connections of the overload': String(OVERLOAD_CONNECTIONS) },
    },
  ];
}

/** The second from which on nothing was refused. */
function normalAfter({ refusedBySecond }: LoadResult): number {
  return refusedBySecond.findLastIndex((count) => count > 0) + 1;
}
