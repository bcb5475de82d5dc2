import { lonePair } from '../baselines/bare-driver.js';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { atMost, type Line } from '../report/line.js';
import { fleetDatabase } from '../fixtures/fleet-database.js';
import type { ServiceProcess } from '../../harness/service-process.js';
import type { BenchHarness } from '../harness.js';

/** So few that the tokens of all are known after the warm-up. */
const BOTTLES = 200;
const SECONDS = 3;
/** A server that has just started runs code that V8 has not compiled yet, and so few requests would not change that. */
const WARM_UP_CONNECTIONS = 64;

/** Line 4: what one request alone waits for, against one insert and one update. */
export async function loneRequest(harness: BenchHarness): Promise<Line[]> {
  const db = await fleetDatabase(harness, 'lone', BOTTLES);
  const bareDb = await fleetDatabase(harness, 'lone_pair', BOTTLES);
  const httpDb = await fleetDatabase(harness, 'lone_http', BOTTLES);
  const server = await harness.deviceApi(db);
  const bareHttp = await harness.baseline('bare-http', httpDb);
  const sendTo = async ({ url }: ServiceProcess, connections = 1): Promise<number> => {
    const order = { url, path: '/v1/heartbeats', connections, bottles: BOTTLES };
    return (await harness.load.run({ ...order, seconds: SECONDS })).p50;
  };
  for (const one of [server, bareHttp]) await sendTo(one, WARM_UP_CONNECTIONS);
  await lonePair(bareDb, BOTTLES, SECONDS);
  const { request, pair, http } = await inTurn({
    request: () => sendTo(server),
    pair: () => lonePair(bareDb, BOTTLES, SECONDS),
    http: () => sendTo(bareHttp),
  });
  await Promise.all([server.stop(), bareHttp.stop()]);
  await Promise.all([db, bareDb, httpDb].map((one) => one.dropDatabase()));
  return [
    {
      ...atMost(4, 'a lone request, p50 ÷ bare insertOne + updateOne', 1.5, ratio(request, pair)),
      figures: {
        'Pillwatch, p50': `${spread(request).median.toFixed(2)} ms`,
        'bare driver, p50': `${spread(pair).median.toFixed(2)} ms`,
        'bare node:http with the same writes, p50': `${spread(http).median.toFixed(2)} ms`,
        'bare node:http ÷ bare driver': ratio(http, pair).median.toFixed(2),
      },
    },
  ];
}
