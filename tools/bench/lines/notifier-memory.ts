import { HOUR_MS } from '#domain';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Line } from '../report/line.js';
import { spread } from '../report/rounds.js';
import { LARGE_FLEET, makeSilent } from '../fixtures/big-fleet.js';
import type { BenchHarness } from '../harness.js';

const SILENT = 3_000;
const EVERY_SECOND = '* * * * * *';
const PATIENCE_MS = 60_000;
/** Time for the reconcile to walk on when all alerts are there. */
const AFTERWARDS_MS = 5_000;

/** Line 11 b: the memory of a notifier with a large fleet, while some of it falls silent and the reconcile walks. */
export async function notifierMemory(harness: BenchHarness): Promise<Line[]> {
  const db = await harness.bigFleet(LARGE_FLEET);
  const now = Date.now();
  await db
    .collection('listening_spans')
    .insertOne({ from: new Date(now - 2 * HOUR_MS), until: new Date(now + HOUR_MS) });
  await makeSilent(db, LARGE_FLEET, SILENT, new Date(now - 1_000));
  const notifier = await harness.notifier(db, {
    CHECK_OPEN_BOTTLES_CRON: EVERY_SECOND,
    CHECK_SILENT_BOTTLES_CRON: EVERY_SECOND,
    CHECK_DOSES_CRON: EVERY_SECOND,
    RECONCILE_CRON: EVERY_SECOND,
  });
  const alerts = (): Promise<number> => db.collection('alerts').countDocuments({ kind: 'bottle_silent' });
  const start = performance.now();
  while ((await alerts()) < SILENT) {
    if (performance.now() - start > PATIENCE_MS)
      throw new Error(`${SILENT} bottles are silent, ${await alerts()} alerts`);
    await sleep(250);
  }
  const took = (performance.now() - start) / 1_000;
  await sleep(AFTERWARDS_MS);
  const memory = notifier.peakMemoryMb();
  await notifier.stop();
  return [
    {
      ...atMost(11, 'memory of the notifier with 3M bottles', 250, spread([memory]), 'MB'),
      figures: { [`alerts for ${SILENT} silent bottles after`]: `${took.toFixed(1)} s` },
    },
  ];
}
