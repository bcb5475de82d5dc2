import type { mongo } from 'mongoose';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../../harness/service-process.js';
import { WebhookReceiver } from '../../harness/webhook-receiver.js';
import { LARGE_FLEET } from '../fixtures/big-fleet.js';
import type { BenchHarness } from '../harness.js';
import { atMost, type Line, perSecond } from '../report/line.js';
import { percentile, spread } from '../report/rounds.js';
import { asCsv, type TimeSeries } from '../report/time-series.js';
import { doseOf, FASTER, FIRST, LAST, MINUTE } from '../whole-morning/breakfast.js';
import { largeFleet, planBreakfast } from '../whole-morning/fleet.js';
import { haveBreakfast } from '../whole-morning/people.js';
import { type Morning, pictureOf, seriesOf } from '../whole-morning/picture.js';
import { readMorning } from '../whole-morning/read.js';

/** `BENCH_BOTTLES=100000 npm run bench -- whole-morning` tries it with a smaller fleet. */
const BOTTLES = Number(process.env['BENCH_BOTTLES'] ?? LARGE_FLEET);
/** Every so many-th bottle of the fleet has breakfast. */
const STEP = 50;
const HAVE_BREAKFAST = BOTTLES / STEP;
/** The interval of the check of doses, in so short an hour. */
const EVERY_10_SECONDS = '*/10 * * * * *';
const ON_LEAP_DAYS = '0 0 29 2 *';
/** Until the plans are stored, and read by the notifiers for the first time. */
const SEEDING_MS = 30_000 + HAVE_BREAKFAST * 4;
/** Which notifier is killed when, in minutes from eight; it starts again after a while. */
const KILLS = [
  { notifier: 0, at: 3 },
  { notifier: 1, at: 64 },
] as const;
const DOWN_MS = 30_000;
/** Each bottle reports twice in an hour of this morning. */
const HEARTBEATS_EVERY_S = (30 * MINUTE) / 1_000;
const HEARTBEAT_CONNECTIONS = 32;
const HEARTBEATS_AT_ONCE_S = 10;
const POLL_MS = 1_000;
const PATIENCE_MS = 300_000;
/** Until a lease of 30 s is over, the check comes again, and its backlog is gone. */
const OVER_AFTER_S = 60;

const WRITTEN = BOTTLES === LARGE_FLEET ? 'docs/images' : join(tmpdir(), 'pillwatch-whole-morning');

/** By name only: an hour of breakfast in a large fleet, from openings to messages, while notifiers are killed. */
export async function wholeMorning(harness: BenchHarness): Promise<Line[]> {
  const doses = Array.from({ length: HAVE_BREAKFAST }, (_, n) => doseOf(n));
  const db = await largeFleet(harness, BOTTLES);
  const receiver = await WebhookReceiver.start();
  const env = {
    CHECK_DOSES_CRON: EVERY_10_SECONDS,
    RECONCILE_CRON: ON_LEAP_DAYS,
    WEBHOOK_URL: receiver.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const server = await harness.deviceApi(db);
  const notifiers = await Promise.all([harness.notifier(db, env), harness.notifier(db, env)]);
  try {
    const eight = Date.now() + SEEDING_MS - FIRST * MINUTE;
    await planBreakfast(db, doses, STEP, eight);
    while ((await db.collection('bottle_states').countDocuments(dueNow())) > 0) {
      if (Date.now() > eight + FIRST * MINUTE) throw new Error('seeding took too long');
      await sleep(POLL_MS);
    }
    const never = doses.filter(({ fate }) => fate === 'never').length;
    const cpuMs = { server: server.cpuMs(), mongod: harness.mongodCpuMs() };
    const [eaten, heartbeats, kills] = await Promise.all([
      haveBreakfast(server.url, doses, eight),
      heartbeatsUntil(harness, server, () => settled(db, never), eight + LAST * MINUTE + PATIENCE_MS),
      killInTurn(notifiers, eight),
    ]);
    const morning: Morning = {
      ...eaten,
      ...(await readMorning(db, receiver, eaten, doses, STEP, eight)),
      doses,
      eight,
      ended: Date.now(),
      kills,
    };
    const series = seriesOf(morning);
    write(morning, series);
    return [
      lineOf(morning, series, {
        'doses never taken, each with one alert and one message': String(never),
        'answers by status': JSON.stringify(eaten.statuses),
        'heartbeats beside': String(heartbeats),
        'processor time of device-api and mongod': [
          server.cpuMs() - cpuMs.server,
          harness.mongodCpuMs() - cpuMs.mongod,
        ]
          .map((ms) => `${(ms / 1_000).toFixed(0)} s`)
          .join(', '),
        'memory of device-api and the notifiers': [server, ...notifiers]
          .map((process) => `${process.peakMemoryMb().toFixed(0)} MB`)
          .join(', '),
      }),
    ];
  } finally {
    await Promise.all([server, ...notifiers].map((process) => process.stop()));
    await receiver.stop();
    await db.dropDatabase();
  }
}

const dueNow = (): mongo.Document => ({ dose_due_at: { $lte: new Date() } });

/**
 * Nothing waits any more: every dose that was taken is judged, every other one is known to be late, all is sent.
 *
 * @param never how many are never taken
 */
async function settled(db: mongo.Db, never: number): Promise<boolean> {
  if ((await db.collection('dose_outcomes').estimatedDocumentCount()) < HAVE_BREAKFAST - never) return false;
  if ((await db.collection('alerts').countDocuments({ open: true })) < never) return false;
  return (await db.collection('deliveries').countDocuments({ status: 'pending' })) === 0;
}

/** Sends heartbeats of all that have breakfast until nothing waits, twice in a row. @returns how many */
async function heartbeatsUntil(
  harness: BenchHarness,
  { url }: ServiceProcess,
  isSettled: () => Promise<boolean>,
  patience: number,
): Promise<number> {
  const order = { url, path: '/v1/heartbeats', connections: HEARTBEAT_CONNECTIONS, bottles: HAVE_BREAKFAST };
  const rate = HAVE_BREAKFAST / HEARTBEATS_EVERY_S;
  let sent = 0;
  for (let over = 0; over < 2; over = (await isSettled()) ? over + 1 : 0) {
    if (Date.now() > patience) throw new Error('something waits for ever');
    sent += (await harness.load.run({ ...order, rate, seconds: HEARTBEATS_AT_ONCE_S })).sent;
  }
  return sent;
}

/** @returns when each was killed, and when it was there again. Milliseconds. */
function killInTurn(
  notifiers: readonly ServiceProcess[],
  eight: number,
): Promise<{ killed: number; back: number }[]> {
  return Promise.all(
    KILLS.map(async ({ notifier, at }) => {
      await sleep(eight + at * MINUTE - Date.now());
      const killed = Date.now();
      await notifiers[notifier]!.end('SIGKILL');
      await sleep(DOWN_MS);
      await notifiers[notifier]!.start();
      return { killed, back: Date.now() };
    }),
  );
}

function lineOf(morning: Morning, series: TimeSeries, figures: Line['figures']): Line {
  const { doses, taken, raised, delivered, repeated, late, acknowledged, offered, kills } = morning;
  // what a killed notifier was about to judge waits for the end of its lease
  const cleared = kills.map(({ killed }) => {
    const before = taken.filter(({ closed }) => closed <= killed).map(({ judged }) => judged);
    return (before.reduce((last, judged) => Math.max(last, judged), killed) - killed) / 1_000;
  });
  const waits = taken
    .map(({ closed, judged }) => (judged - closed) / 1_000)
    .toSorted((one, other) => one - other);
  const busiest = (name: string): number => Math.max(...series.columns[name]!) / series.step;
  return {
    ...atMost(
      31,
      `a morning of ${doses.length} doses among ${BOTTLES} bottles, ${FASTER} times as fast: from the kill of a notifier until all taken before it are judged`,
      OVER_AFTER_S,
      spread(cleared),
      's',
    ),
    figures: {
      'actions acknowledged and found in the log, each once': String(acknowledged.length),
      'actions a second, in the busiest five seconds: offered, acknowledged': ['offered', 'acknowledged']
        .map((name) => perSecond(busiest(name)))
        .join(', '),
      'acknowledged, the last after it was due': `${((acknowledged.at(-1)! - offered.at(-1)!) / 1_000).toFixed(1)} s`,
      'doses taken, each judged once and as planned': String(taken.length),
      'from a closing to its judgement, p50, p99, longest': [0.5, 0.99, 1]
        .map((share) => `${percentile(waits, share).toFixed(1)} s`)
        .join(', '),
      'doses taken late, and of how many it was known before': `${late.taken}, ${late.alerted}`,
      'alerts raised; messages delivered; repeated under the same id after a kill': `${raised.length}; ${delivered.length}; ${repeated}`,
      ...figures,
    },
  };
}

/** The series and its picture. */
function write(morning: Morning, series: TimeSeries): void {
  mkdirSync(WRITTEN, { recursive: true });
  writeFileSync(join(WRITTEN, 'whole-morning.csv'), asCsv(series));
  const fleet = `${morning.doses.length.toLocaleString('en-US')} doses among ${BOTTLES.toLocaleString('en-US')} bottles`;
  writeFileSync(join(WRITTEN, 'whole-morning.svg'), pictureOf(morning, series, fleet));
  console.log(`            (series and picture are in ${WRITTEN})`);
}
