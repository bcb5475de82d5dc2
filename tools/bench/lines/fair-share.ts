import { fleetDatabase, registerHub } from '../fixtures/fleet-database.js';
import type { BenchHarness } from '../harness.js';
import { acknowledged, LoadProcess } from '../load/load-client.js';
import type { LoadResult } from '../load/load.js';
import { atMost, type Line, perSecond } from '../report/line.js';
import { inTurn, spread } from '../report/rounds.js';

const BOTTLES = 20_000;
const SECONDS = 8;
const SINGLES = { path: '/v1/heartbeats', connections: 64, rate: 200, bottles: BOTTLES };
const FLOOD = { path: '/v1/gateway/batch', connections: 8, batch: 1_000, bottles: BOTTLES };

/** Line 24: the heartbeats of other bottles while one gateway floods; it sends again at once, whatever the answer. */
export async function fairShare(harness: BenchHarness): Promise<Line[]> {
  const db = await fleetDatabase(harness, 'fair_share', BOTTLES);
  await registerHub(db);
  const server = await harness.deviceApi(db);
  const gateway = await LoadProcess.start();
  const order = { url: server.url, seconds: SECONDS };
  const singles = (): Promise<LoadResult> => harness.load.run({ ...order, ...SINGLES });
  const refused: number[] = [];
  const stored: number[] = [];
  const flooded: Record<number, number> = {};
  await singles();
  const { alone, beside } = await inTurn({
    alone: async () => (await singles()).p99,
    beside: async () => {
      const [others, flood] = await Promise.all([singles(), gateway.run({ ...order, ...FLOOD })]);
      refused.push(others.sent - acknowledged(others));
      stored.push((acknowledged(flood) * FLOOD.batch) / flood.seconds);
      for (const [status, count] of Object.entries(flood.statuses))
        flooded[Number(status)] = (flooded[Number(status)] ?? 0) + count;
      return others.p99;
    },
  });
  gateway.stop();
  await server.stop();
  await db.dropDatabase();
  const line = atMost(24, 'p99 of others while one gateway floods', 250, spread(beside), 'ms');
  return [
    {
      ...line,
      met: line.met && refused.every((count) => count === 0),
      figures: {
        'p99 without the flood': `${spread(alone).median.toFixed(0)} ms`,
        'refused of the others': refused.join(', '),
        'of the gateway, stored': perSecond(spread(stored).median),
        "the gateway's answers": JSON.stringify(flooded),
      },
    },
  ];
}
