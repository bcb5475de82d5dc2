import { groupsOf } from '../baselines/bare-driver.js';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { atLeast, type Line, perSecond } from '../report/line.js';
import { fleetDatabase, registerHub } from '../fixtures/fleet-database.js';
import { acknowledged } from '../load/load-client.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 20_000;
const BATCH = 200;
const CONNECTIONS = 16;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
/** What was found best for the driver: as large as our groups, one being written while the next is made. */
const BARE = { size: 1_000, writers: 2, bottles: BOTTLES };
/** Heartbeats of 30 million bottles. */
const LAB_RATE = 16_667;

/** Lines 3 and 23: a hub's batches of heartbeats against the driver alone making the same writes, and empty ones. */
export async function hubBatches(harness: BenchHarness): Promise<Line[]> {
  const db = await fleetDatabase(harness, 'hub', BOTTLES);
  await registerHub(db);
  const bareDb = await fleetDatabase(harness, 'hub_bare', BOTTLES);
  const server = await harness.deviceApi(db);
  let total = 0;
  const send = async (seconds: number, empty = false): Promise<number> => {
    const order = {
      url: server.url,
      path: '/v1/gateway/batch',
      connections: CONNECTIONS,
      batch: BATCH,
      empty,
    };
    const result = await harness.load.run({ ...order, bottles: BOTTLES, seconds });
    total += acknowledged(result) * BATCH;
    return (acknowledged(result) * BATCH) / result.seconds;
  };
  await send(WARM_UP_SECONDS);
  const { hub, empty, bare } = await inTurn({
    hub: () => send(SECONDS),
    empty: () => send(SECONDS, true),
    bare: () => groupsOf(bareDb, { ...BARE, seconds: SECONDS }),
  });
  await server.stop();
  const found = await db.collection('bottle_heartbeats').countDocuments();
  await Promise.all([db.dropDatabase(), bareDb.dropDatabase()]);
  // a batch that was answered may have items that were refused: the log tells
  if (found < total) throw new Error(`${total} heartbeats acknowledged, ${found} in the log`);
  const rate = spread(hub).median;
  const figures = {
    'Pillwatch, acknowledged': perSecond(rate),
    'the same, empty': perSecond(spread(empty).median),
    'bare driver, log and states': perSecond(spread(bare).median),
    "the lab's fleet of 30M bottles": `${perSecond(LAB_RATE)}: this is ${(rate / LAB_RATE).toFixed(2)} of it`,
    'acknowledged and found in the log': `${total} and ${found}`,
  };
  return [
    { ...atLeast(3, `heartbeats in batches of ${BATCH} ÷ bare driver`, 0.85, ratio(hub, bare)), figures },
    {
      ...atLeast(23, 'batches of heartbeats with battery and signal ÷ empty', 0.9, ratio(hub, empty)),
      figures,
    },
  ];
}
