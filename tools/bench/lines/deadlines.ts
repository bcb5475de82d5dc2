import type { mongo } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Recorded, writeAlerts } from '../baselines/bare-alerts.js';
import { BareSender } from '../baselines/bare-sender.js';
import { inTurn, percentile, ratio, spread } from '../report/rounds.js';
import { atMost, type Line } from '../report/line.js';
import { openTogether } from '../fixtures/due-fleet.js';
import { bottleOf } from '../load/fleet.js';
import { makeIndexes } from '../fixtures/fleet-database.js';
import { type ReceivedMessage, WebhookReceiver } from '../../harness/webhook-receiver.js';
import type { BenchHarness } from '../harness.js';

const DUE = 10_000;
/** So many times as many before: V8 has compiled the code of a notifier that has run for some time. */
const WARM_UPS = 1;
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
  /** From the deadline until all are sent, and the results stored. */
  sent: number;
  /** From the deadline to the attempt to deliver, one for each message, ascending. */
  delays: number[];
  recorded: Recorded;
  /** Of the notifiers and of mongod from the deadline until all are sent, for a bottle. Microseconds on the processor. */
  costs: readonly [number, number];
}

const NOTIFIERS = { one: 1, two: 2, four: 4 } as const;
type Way = keyof typeof NOTIFIERS;

/**
 * Lines 8 and 25, and how long it takes from a deadline to the receiver: many bottles become due at one moment.
 * The driver alone writes the same documents beside it, without sending and with it.
 */
export async function deadlines(harness: BenchHarness): Promise<Line[]> {
  const receiver = await WebhookReceiver.start();
  const sender = new BareSender();
  const runs: Record<Way, Run[]> = { one: [], two: [], four: [] };
  const measure = async (way: Way): Promise<number> => {
    const run = await dueAtOnce(harness, receiver, NOTIFIERS[way]);
    runs[way].push(run);
    return run.queued;
  };
  try {
    const { recorded } = await dueAtOnce(harness, receiver, 1);
    const bare = (): Promise<number> => byDriver(harness, (db) => writeAlerts(db, recorded));
    const sending = async (): Promise<number> => {
      const seconds = await byDriver(harness, (db) => sender.send(harness.uriOf(db), receiver.url, recorded));
      oneAttemptEach(receiver);
      return seconds;
    };
    for (let times = 0; times < WARM_UPS; times += 1) for (const way of [bare, sending]) await way();
    const queued = await inTurn({
      one: () => measure('one'),
      two: () => measure('two'),
      four: () => measure('four'),
      bare,
      sending,
    });
    const sent = runs.one.map((run) => run.sent);
    return [
      ...(['one', 'four'] as const).map((way) => ({
        ...atMost(
          8,
          `${DUE} newly overdue: found, recorded, queued; notifiers: ${way}`,
          10,
          spread(queued[way]),
          's',
        ),
        figures: { 'alerts and deliveries, each run': `${DUE}, all delivered once` },
      })),
      {
        ...atMost(
          25,
          `${DUE} newly overdue, one notifier ÷ a bare driver that writes the same and sends nothing`,
          2,
          ratio(queued.one, queued.bare),
        ),
        figures: { 'the driver, in groups of 500': `${spread(queued.bare).median.toFixed(2)} s` },
      },
      {
        ...atMost(
          25,
          `${DUE} newly overdue, until all are sent: one notifier ÷ a bare driver that sends them`,
          2,
          ratio(sent, queued.sending),
        ),
        figures: {
          'one notifier': `${spread(sent).median.toFixed(2)} s`,
          'the driver, a hundred at a time': `${spread(queued.sending).median.toFixed(2)} s`,
        },
      },
      ...(['two', 'four'] as const).map((way) => ({
        ...atMost(25, `${DUE} newly overdue, notifiers: ${way} ÷ one`, 0.8, ratio(queued[way], queued.one)),
        figures: { 'until all are sent': ratioText(runs[way], runs.one) },
      })),
      ...(['one', 'two', 'four'] as const).map((way) => toAttempt(way, runs[way])),
    ];
  } finally {
    await Promise.all([receiver.stop(), sender.stop()]);
  }
}

function ratioText(over: readonly Run[], under: readonly Run[]): string {
  const [these, those] = [over, under].map((runs) => runs.map(({ sent }) => sent));
  return ratio(these!, those!).median.toFixed(2);
}

function toAttempt(way: Way, runs: readonly Run[]): Line {
  const cost = (process: 0 | 1): string => spread(runs.map(({ costs }) => costs[process])).median.toFixed(0);
  const at = (share: number) => spread(runs.map(({ delays }) => percentile(delays, share)));
  return {
    ...atMost(
      21,
      `from the deadline to the attempt to deliver, p99 of ${DUE} due at once; notifiers: ${way}`,
      INTERVAL_S + 1,
      at(0.99),
      's',
    ),
    figures: {
      p50: `${at(0.5).median.toFixed(2)} s`,
      max: `${at(1).median.toFixed(2)} s`,
      'interval of the check': `${INTERVAL_S} s`,
      'the deadline passes': `${JUST_MISSED_MS / 1_000} s after its tick`,
      'processor time of notifiers and mongod: a bottle, sent': `${cost(0)} and ${cost(1)} µs`,
    },
  };
}

/** One run with its own database and notifiers, which have raised as many before. @throws unless exactly one notification was sent for each bottle. */
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
    for (let times = 0; times < WARM_UPS; times += 1) {
      await openAfterTick(db, times * DUE);
      await until(async () => (await delivered(db)) >= (times + 1) * DUE, 10 * POLL_MS);
      oneAttemptEach(receiver);
    }
    const due = await openAfterTick(db, WARM_UPS * DUE);
    const cpuMs = (): number[] => [
      running.reduce((sum, notifier) => sum + notifier.cpuMs(), 0),
      harness.mongodCpuMs(),
    ];
    const before = cpuMs();
    const all = (WARM_UPS + 1) * DUE;
    await until(async () => (await count(db, 'alerts')) >= all && (await count(db, 'deliveries')) >= all);
    const queued = (Date.now() - due) / 1_000;
    await until(async () => (await delivered(db)) >= all, 4 * POLL_MS);
    const sent = (Date.now() - due) / 1_000;
    const [ofNotifiers = 0, ofMongod = 0] = cpuMs().map(
      (ms, process) => ((ms - before[process]!) * 1_000) / DUE,
    );
    const attempts = oneAttemptEach(receiver);
    if (attempts.some(({ at }) => at < due)) throw new Error('notification sent before the deadline');
    await oneEach(db, 'alerts', all);
    await oneEach(db, 'deliveries', all);
    const ofThese = { bottle_id: { $in: bottlesFrom(WARM_UPS * DUE) } };
    const recorded = {
      alerts: await db.collection('alerts').find(ofThese).toArray(),
      deliveries: (await db.collection('deliveries').find(ofThese).toArray()).map(asQueued),
    };
    return {
      queued,
      sent,
      recorded,
      costs: [ofNotifiers, ofMongod],
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

/** Opens bottles that become overdue just after a tick. Gives the deadline. Unix time in milliseconds. */
async function openAfterTick(db: mongo.Db, first: number): Promise<number> {
  const tick = nextTick(Date.now() + SEEDING_MS);
  const due = tick + JUST_MISSED_MS;
  await openTogether(db, DUE, new Date(due), first);
  // the check that runs at the tick must already see the next deadlines
  if (Date.now() > tick) throw new Error('seeding took too long');
  await sleep(due - Date.now());
  return due;
}

/** Takes what the receiver got. @throws unless it is one attempt for each bottle */
function oneAttemptEach(receiver: WebhookReceiver): ReceivedMessage[] {
  const attempts = receiver.requests.splice(0);
  if (attempts.length !== DUE || new Set(attempts.map(({ id }) => id)).size !== DUE)
    throw new Error(`${DUE} messages, but ${attempts.length} attempts`);
  return attempts;
}

function bottlesFrom(first: number): mongo.ObjectId[] {
  return Array.from({ length: DUE }, (_, n) => bottleOf(first + n)._id);
}

/** The same alerts and deliveries of the same bottles, by the driver alone. Seconds. */
async function byDriver(harness: BenchHarness, write: (db: mongo.Db) => Promise<number>): Promise<number> {
  const db = harness.newDatabase('bare_due');
  try {
    await makeIndexes(harness, db);
    await openTogether(db, DUE, new Date(Date.now() - 1_000), WARM_UPS * DUE);
    const seconds = await write(db);
    await oneEach(db, 'alerts', DUE);
    await oneEach(db, 'deliveries', DUE);
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
async function oneEach(db: mongo.Db, collection: string, all: number): Promise<void> {
  const [documents, bottles] = [
    await db.collection(collection).countDocuments(),
    (await db.collection(collection).distinct('bottle_id')).length,
  ];
  if (documents !== all || bottles !== all)
    throw new Error(`${all} bottles were due; ${documents} ${collection} for ${bottles} of them`);
}

async function until(condition: () => Promise<boolean>, pollMs = POLL_MS): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not done in ${PATIENCE_MS / 1_000} s`);
    await sleep(pollMs);
  }
}
