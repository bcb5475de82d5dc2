import { lonePair } from '../baselines/bare-driver.js';
import { inTurn } from '../report/in-turn.js';
import { atMost, type Line } from '../report/line.js';
import { ratio, spread } from '../report/spread.js';
import { fleetDatabase } from '../stage/fleet-database.js';
import type { Stage } from '../stage/stage.js';

/** So few that the tokens of all are known after the warm-up. */
const BOTTLES = 200;
const SECONDS = 4;

/** Line 4: what one request alone waits for, against one insert and one update. */
export async function loneRequest(stage: Stage): Promise<Line[]> {
  const db = await fleetDatabase(stage, 'lone', BOTTLES);
  const bareDb = await fleetDatabase(stage, 'lone_pair', BOTTLES);
  const server = await stage.deviceApi(db);
  const send = async (): Promise<number> => {
    const order = { url: server.url, path: '/v1/heartbeats', connections: 1, bottles: BOTTLES };
    return (await stage.load.run({ ...order, seconds: SECONDS })).p50;
  };
  await send();
  const { request, pair } = await inTurn({ request: send, pair: () => lonePair(bareDb, BOTTLES, SECONDS) });
  await server.stop();
  await Promise.all([db.dropDatabase(), bareDb.dropDatabase()]);
  return [
    {
      ...atMost(4, 'a lone request, p50 ÷ bare insertOne + updateOne', 1.5, ratio(request, pair)),
      figures: {
        'Pillwatch, p50': `${spread(request).median.toFixed(2)} ms`,
        'bare driver, p50': `${spread(pair).median.toFixed(2)} ms`,
      },
    },
  ];
}
