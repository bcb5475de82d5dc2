import { inTurn, ratio, spread } from '../report/rounds.js';
import { atMost, type Line, perSecond } from '../report/line.js';
import { LARGE_FLEET } from '../fixtures/big-fleet.js';
import { registerHub, registerSome } from '../fixtures/fleet-database.js';
import { acknowledged } from '../load/load-client.js';
import type { BenchHarness } from '../harness.js';

const SMALL_FLEET = 30_000;
/** So many of the large fleet send, from all over it: more than the rounds get through. */
const SENDERS = 300_000;
const BATCH = 200;
const CONNECTIONS = 16;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;

/** Line 12: what a heartbeat costs in a large fleet, of which no cache knows much, against a small one. */
export async function growth(harness: BenchHarness): Promise<Line[]> {
  const large = await fleet(harness, LARGE_FLEET, SENDERS);
  const small = await fleet(harness, SMALL_FLEET, SMALL_FLEET);
  const rates = await inTurn({ large: large.measure, small: small.measure });
  for (const { stop } of [large, small]) await stop();
  return [
    {
      // what a heartbeat costs is the time that it takes
      ...atMost(12, 'cost of a heartbeat at 3M bottles ÷ at 30K', 1.5, ratio(rates.small, rates.large)),
      figures: {
        'at 3M, batches of 200': perSecond(spread(rates.large).median),
        'at 30K': perSecond(spread(rates.small).median),
      },
    },
  ];
}

async function fleet(
  harness: BenchHarness,
  bottles: number,
  senders: number,
): Promise<{ measure: () => Promise<number>; stop: () => Promise<void> }> {
  const db = await harness.bigFleet(bottles);
  const step = bottles / senders;
  await registerSome(db, senders, step);
  await registerHub(db);
  const server = await harness.deviceApi(db);
  const send = async (seconds: number): Promise<number> => {
    const order = { url: server.url, path: '/v1/gateway/batch', connections: CONNECTIONS, batch: BATCH };
    const result = await harness.load.run({ ...order, bottles: senders, everyOf: step, seconds });
    return (acknowledged(result) * BATCH) / result.seconds;
  };
  await send(WARM_UP_SECONDS);
  return {
    measure: () => send(SECONDS),
    stop: async () => {
      await server.stop();
      const found = await db.collection('bottle_heartbeats').countDocuments();
      if (found === 0) throw new Error('no heartbeat was stored');
    },
  };
}
