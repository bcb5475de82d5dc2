import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { atMost, type Line } from '../report/line.js';
import { fleetDatabase } from '../fixtures/fleet-database.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 20_000;
const CONNECTIONS = 128;
const SECONDS = 6;
/** Heartbeats a second: what one process takes with ease, so that a queue is somebody else's doing. */
const RATE = 1_000;
const EVERY_SECOND = '* * * * * *';
/** Starting is not what is measured: its code is compiled, its connections made and its first rounds done by then. */
const SETTLED_MS = 8_000;

/** Line 9: what the checks and the reconcile, all of them without a pause, cost the bottles. */
export async function besideChecks(harness: BenchHarness): Promise<Line[]> {
  const db = await fleetDatabase(harness, 'beside', BOTTLES);
  const server = await harness.deviceApi(db);
  const send = async (): Promise<number> => {
    const order = { url: server.url, path: '/v1/heartbeats', connections: CONNECTIONS, bottles: BOTTLES };
    return (await harness.load.run({ ...order, rate: RATE, seconds: SECONDS })).p99;
  };
  await send();
  const { alone, beside } = await inTurn({
    alone: send,
    beside: async () => {
      const notifier = await harness.notifier(db, {
        CHECK_OPEN_BOTTLES_CRON: EVERY_SECOND,
        CHECK_SILENT_BOTTLES_CRON: EVERY_SECOND,
        CHECK_DOSES_CRON: EVERY_SECOND,
        RECONCILE_CRON: EVERY_SECOND,
      });
      try {
        await sleep(SETTLED_MS);
        return await send();
      } finally {
        await notifier.stop();
      }
    },
  });
  await server.stop();
  await db.dropDatabase();
  return [
    {
      ...atMost(9, 'ingest p99 while all checks and the reconcile run ÷ without', 1.3, ratio(beside, alone)),
      figures: {
        'with, p99': `${spread(beside).median.toFixed(1)} ms`,
        'without, p99': `${spread(alone).median.toFixed(1)} ms`,
        'at a rate of': `${RATE}/s`,
      },
    },
  ];
}
