import type { mongo } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Recorded, writeAlerts } from '../baselines/bare-alerts.js';
import { inTurn, percentile, ratio, spread } from '../report/rounds.js';
import { atMost, type Line } from '../report/line.js';
import { openTogether } from '../fixtures/due-fleet.js';
import { makeIndexes } from '../fixtures/fleet-database.js';
import { WebhookReceiver } from '../../harness/webhook-receiver.js';
import type { BenchHarness } from '../harness.js';

const DUE = 10_000;
const INTERVAL_S = 10;
const EVERY_INTERVAL = `*/${INTERVAL_S} * * * * *`;
const ON_LEAP_DAYS = '0 0 29 2 *';
/** The deadline passes when a check has just looked: who waits for the next one waits longest. */
const JUST_MISSED_MS = 500;
const SEEDING_MS = 5_000;
const POLL_MS = 25;
const PATIENCE_MS = 45_000;

/** What one run shows. Seconds. */
interface Run {
  /** From the deadline until all are recorded and queued. */
  queued: number;
  /** From the deadline to the attempt to deliver, one for each message, ascending. */
  delays: number[];
  recorded: Recorded;
}

/**
 * Lines 8 and 25, and how long it takes from a deadline to the receiver: many bottles become due at one moment.
 * The driver alone writes the same documents beside it.
 */
export async function deadlines(harness: BenchHarness): Promise<Line[]> {
  const receiver = await WebhookReceiver.start();
  const delays: Record<'one' | 'four', number[][]> = { one: [], four: [] };
  let recorded: Recorded = { alerts: [], deliveries: [] };
  const measure = async (way: 'one' | 'four', notifiers: number): Promise<number> => {
    const run = await dueAtOnce(harness, receiver, notifiers);
    delays[way].push(run.delays);
    recorded = run.recorded;
    return run.queued;
  };
  try {
    const queued = await inTurn({
      one: () => measure('one', 1),
      four: () => measure('four', 4),
      bare: () => byDriver(harness, recorded),
    });
    return [
      {
        ...atMost(
          8,
          `${DUE} newly overdue: found, recorded, queued; one notifier`,
          10,
          spread(queued.one),
          's',
        ),
        figures: { 'alerts and deliveries, each run': `${DUE}, all delivered once` },
      },
      {
        ...atMost(8, `${DUE} newly overdue: the same, four notifiers`, 10, spread(queued.four), 's'),
        figures: { 'alerts and deliveries, each run': `${DUE}, all delivered once` },
      },
      {
        ...atMost(
          25,
          `${DUE} newly overdue, one notifier ÷ a bare driver that writes the same`,
          2,
          ratio(queued.one, queued.bare),
        ),
        figures: { 'the driver, in groups of 500': `${spread(queued.bare).median.toFixed(2)} s` },
      },
      {
        ...atMost(25, `${DUE} newly overdue, four notifiers ÷ one`, 1, ratio(queued.four, queued.one)),
        figures: {},
      },
      toAttempt('one notifier', delays.one),
      toAttempt('four notifiers', delays.four),
    ];
  } finally {
    await receiver.stop();
  }
}

function toAttempt(who: string, delays: number[][]): Line {
  const at = (share: number) => spread(delays.map((run) => percentile(run, share)));
  return {
    ...atMost(
      21,
      `from the deadline to the attempt to deliver, p99 of ${DUE} due at once; ${who}`,
      INTERVAL_S + 1,
      at(0.99),
      's',
    ),
    figures: {
      p50: `${at(0.5).median.toFixed(2)} s`,
      max: `${at(1).median.toFixed(2)} s`,
      'interval of the check': `${INTERVAL_S} s`,
      'the deadline passes': `${JUST_MISSED_MS / 1_000} s after its tick`,
    },
  };
}

/** One run with its own database and notifiers. @throws unless exactly one notification was sent for each bottle. */
async function dueAtOnce(harness: BenchHarness, receiver: WebhookReceiver, notifiers: number): Promise<Run> {
  const db = harness.newDatabase('due');
  await makeIndexes(harness, db);
  const env = {
    CHECK_OPEN_BOTTLES_CRON: EVERY_INTERVAL,
    CHECK_SILENT_BOTTLES_CRON: EVERY_INTERVAL,
    CHECK_DOSES_CRON: EVERY_INTERVAL,
    RECONCILE_CRON: ON_LEAP_DAYS,
    WEBHOOK_URL: receiver.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const running = await Promise.all(Array.from({ length: notifiers }, () => harness.notifier(db, env)));
  try {
    const tick = nextTick(Date.now() + SEEDING_MS);
    const due = tick + JUST_MISSED_MS;
    await openTogether(db, DUE, new Date(due));
    // the check that runs at the tick must already see the next deadlines
    if (Date.now() > tick) throw new Error('seeding took too long');
    await sleep(due - Date.now());
    await until(async () => (await count(db, 'alerts')) >= DUE && (await count(db, 'deliveries')) >= DUE);
    const queued = (Date.now() - due) / 1_000;
    await until(async () => (await delivered(db)) >= DUE, 10 * POLL_MS);
    const attempts = receiver.requests.splice(0);
    if (attempts.some(({ at }) => at < due)) throw new Error('notification sent before the deadline');
    await oneEach(db, 'alerts');
    await oneEach(db, 'deliveries');
    if (attempts.length !== DUE || new Set(attempts.map(({ id }) => id)).size !== DUE)
      throw new Error(`${DUE} messages, but ${attempts.length} attempts`);
    const recorded = {
      alerts: await db.collection('alerts').find().toArray(),
      deliveries: (await db.collection('deliveries').find().toArray()).map(asQueued),
    };
    return {
      queued,
      recorded,
      delays: attempts.map(({ at }) => (at - due) / 1_000).sort((one, other) => one - other),
    };
  } finally {
    await Promise.all(running.map((notifier) => notifier.stop()));
    await db.dropDatabase();
  }
}

/** As it was before it was sent. */
function asQueued(delivery: mongo.Document): mongo.Document {
  return { ...delivery, status: 'pending', attempts: [], next_attempt_at: delivery['created_at'] };
}

/** The same alerts and deliveries of the same bottles, written by the driver alone. Seconds. */
async function byDriver(harness: BenchHarness, recorded: Recorded): Promise<number> {
  const db = harness.newDatabase('bare_due');
  try {
    await makeIndexes(harness, db);
    await openTogether(db, DUE, new Date(Date.now() - 1_000));
    const seconds = await writeAlerts(db, recorded);
    await oneEach(db, 'alerts');
    await oneEach(db, 'deliveries');
    return seconds;
  } finally {
    await db.dropDatabase();
  }
}

function nextTick(after: number): number {
  return Math.ceil(after / (INTERVAL_S * 1_000)) * INTERVAL_S * 1_000;
}

/** From the collection's own count: costs the database nothing while it is measured. */
function count(db: mongo.Db, collection: string): Promise<number> {
  return db.collection(collection).estimatedDocumentCount();
}

function delivered(db: mongo.Db): Promise<number> {
  return db.collection('deliveries').countDocuments({ status: 'delivered' });
}

/** One document a bottle. */
async function oneEach(db: mongo.Db, collection: string): Promise<void> {
  const [documents, bottles] = [
    await db.collection(collection).countDocuments(),
    (await db.collection(collection).distinct('bottle_id')).length,
  ];
  if (documents !== DUE || bottles !== DUE)
    throw new Error(`${DUE} bottles were due; ${documents} ${collection} for ${bottles} of them`);
}

async function until(condition: () => Promise<boolean>, pollMs = POLL_MS): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not done in ${PATIENCE_MS / 1_000} s`);
    await sleep(pollMs);
  }
}
