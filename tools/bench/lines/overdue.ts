import { HOUR_MS } from '#domain';
import { BottleHeartbeatsRepository, DeadlinesRepository, PersistenceModule } from '#persistence';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { mongo } from 'mongoose';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { atLeast, atMost, type Line, perSecond } from '../report/line.js';
import { bigFleetId, LARGE_FLEET as LARGE, makeSilent } from '../fixtures/big-fleet.js';
import type { BenchHarness } from '../harness.js';

const SMALL = 300_000;
const OVERDUE = 1_000;
const LAB_OVERDUE = 300;
const LEASE_MS = 30_000;
/** As the checks page. */
const PAGE = 200;
/** Of the lab's queries only so many are made; the rate is what counts. */
const LAB_SAMPLE = 4_000;
const LAB_AT_ONCE = 16;

/** Lines 6 and 7: what a check costs, by the size of the fleet, and against the lab's query a bottle. */
export async function overdue(harness: BenchHarness): Promise<Line[]> {
  const [large, small] = [await fleet(harness, LARGE), await fleet(harness, SMALL)];
  try {
    const found = await inTurn(
      {
        large: () => timeToFind(large, LARGE, OVERDUE),
        small: () => timeToFind(small, SMALL, OVERDUE),
      },
      5,
    );
    const checks = await inTurn({
      deadlines: async () => (SMALL * 1_000) / (await timeToFind(small, SMALL, LAB_OVERDUE)),
      lab: () => labChecks(small),
    });
    return [
      {
        ...atMost(
          6,
          `finding ${OVERDUE} overdue among 3M ÷ among 300K`,
          1.25,
          ratio(found.large, found.small),
        ),
        figures: {
          'among 3M': `${spread(found.large).median.toFixed(0)} ms`,
          'among 300K': `${spread(found.small).median.toFixed(0)} ms`,
        },
      },
      {
        ...atLeast(
          7,
          "checks by deadlines ÷ by the lab's query a bottle",
          1_000,
          ratio(checks.deadlines, checks.lab),
        ),
        figures: {
          'by deadlines, 300K bottles, 300 overdue and claimed': perSecond(spread(checks.deadlines).median),
          [`by the lab's query, ${LAB_AT_ONCE} at once`]: perSecond(spread(checks.lab).median),
        },
      },
    ];
  } finally {
    for (const { app } of [large, small]) await app.close();
  }
}

interface Fleet {
  app: INestApplicationContext;
  db: mongo.Db;
}

async function fleet(harness: BenchHarness, bottles: number): Promise<Fleet> {
  const db = await harness.bigFleet(bottles);
  const module = PersistenceModule.forRoot(harness.uriOf(db), { heartbeatRetention: 14 * 24 * HOUR_MS });
  return { db, app: await NestFactory.createApplicationContext(module, { logger: ['error'] }) };
}

/** Finds and claims what is overdue, page by page, as the check does. Milliseconds. */
async function timeToFind({ app, db }: Fleet, bottles: number, overdueNow: number): Promise<number> {
  const now = new Date();
  await makeSilent(db, bottles, overdueNow, new Date(now.getTime() - 1_000));
  const deadlines = app.get(DeadlinesRepository);
  const start = performance.now();
  let found = 0;
  for (let page = PAGE; page === PAGE;) {
    const claimed = await deadlines.claimOverdue('silent', now, LEASE_MS, PAGE);
    page = claimed.found;
    found += claimed.states.length;
  }
  const took = performance.now() - start;
  if (found !== overdueNow) throw new Error(`${overdueNow} were overdue, ${found} found`);
  // well again, for the next round
  await db
    .collection('bottle_states')
    .updateMany(
      { silent_claim: { $exists: true } },
      { $unset: { silent_claim: '' }, $set: { silent_at: new Date(now.getTime() + HOUR_MS) } },
    );
  return took;
}

/** The lab's third query for one bottle after the other. Bottles a second. */
async function labChecks({ app }: Fleet): Promise<number> {
  const heartbeats = app.get(BottleHeartbeatsRepository);
  const since = new Date(Date.now() - HOUR_MS);
  let next = 0;
  const start = performance.now();
  const check = async (): Promise<void> => {
    while (next < LAB_SAMPLE) {
      const place = (next++ * 73) % SMALL;
      await heartbeats.findLastHeartbeat(new mongo.ObjectId(bigFleetId(place)), since);
    }
  };
  await Promise.all(Array.from({ length: LAB_AT_ONCE }, check));
  return (LAB_SAMPLE * 1_000) / (performance.now() - start);
}
