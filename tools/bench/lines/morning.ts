import { parseSchedule, HOUR_MS } from '#domain';
import type { mongo } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { actionsOf, groupsOf } from '../baselines/bare-driver.js';
import { fleetDatabase, registerHub } from '../fixtures/fleet-database.js';
import { HUB, PILLS, takeDoses, type Taken } from '../load/doses.js';
import { atMost, type Line } from '../report/line.js';
import { percentile, ROUNDS, type Spread, spread } from '../report/rounds.js';
import type { BenchHarness } from '../harness.js';

const BOTTLES = 20_000;
/** All are opened and closed in this time. */
const WITHIN_MS = 10_000;
/** The interval of the check of doses: a removal that arrives after a sweep waits for the next one. */
const EVERY_10_SECONDS = '*/10 * * * * *';
const POLL_MS = 100;
const PATIENCE_MS = 180_000;

/** What one morning shows. */
interface Morning extends Taken {
  /** Seconds from the last bottle's closing. */
  acknowledged: number;
  judged: number;
  /** Of notifier and mongod for a dose that was judged when nothing came in any more. Microseconds on the processor. */
  judging: readonly [number, number];
  /** Seconds that the bare driver needs for the same documents. */
  bare: number;
}

/** Line 26: at 08:00 a dose is due in every bottle, and all are opened and closed within seconds. */
export async function morning(harness: BenchHarness): Promise<Line[]> {
  const mornings: Morning[] = [];
  for (let round = 0; round < ROUNDS; round += 1) mornings.push(await oneMorning(harness));
  const p99 = (latencies: (morning: Morning) => number[]): Spread =>
    spread(mornings.map((one) => percentile(Float64Array.from(latencies(one)).sort(), 0.99)));
  const both = ({ single, hubs }: Morning): number[] => [...single, ...hubs];
  const judged = spread(mornings.map((one) => one.judged));
  const answers = atMost(26, `${BOTTLES} doses taken within 10 s: acknowledged, p99`, 1_000, p99(both), 'ms');
  const ofJudging = (process: 0 | 1): string =>
    spread(mornings.map(({ judging }) => judging[process])).median.toFixed(0);
  const bare = spread(mornings.map((one) => one.bare));
  const ofBare = spread(
    mornings.map((one) => percentile(Float64Array.from(both(one)).sort(), 0.99) / (one.bare * 1_000)),
  );
  const honest = mornings.every(({ statuses }) => Object.keys(statuses).every(isHonest));
  return [
    {
      ...answers,
      met: answers.met && honest,
      figures: {
        'single requests': `${p99(({ single }) => single).median.toFixed(0)} ms`,
        [`hubs' batches of ${HUB}`]: `${p99(({ hubs }) => hubs).median.toFixed(0)} ms`,
        'by status': mornings.map(({ statuses }) => JSON.stringify(statuses)).join(' '),
        'from the last closing until all were acknowledged': `${spread(mornings.map(({ acknowledged }) => acknowledged)).median.toFixed(1)} s`,
      },
    },
    {
      ...atMost(26, `${BOTTLES} doses taken within 10 s: p99 ÷ what a bare driver needs`, 1.3, ofBare),
      figures: { [`bare driver, ${2 * BOTTLES} actions`]: `${bare.median.toFixed(1)} s` },
    },
    {
      ...atMost(
        26,
        `${BOTTLES} doses taken within 10 s: from the last closing until all are judged`,
        30,
        judged,
        's',
      ),
      figures: {
        'interval of the check': '10 s',
        'processor time of notifier and mongod: a dose judged': `${ofJudging(0)} and ${ofJudging(1)} µs`,
      },
    },
  ];
}

/** A refusal that says when to come again is honest. */
function isHonest(status: string): boolean {
  return status === '503' || status.startsWith('2');
}

/** One run with its own fleet and services. @throws unless the log has each action once, and each dose was taken. */
async function oneMorning(harness: BenchHarness): Promise<Morning> {
  const db = await fleetDatabase(harness, 'morning', BOTTLES);
  await scheduleNow(db);
  await registerHub(db);
  const notifier = await harness.notifier(db, { CHECK_DOSES_CRON: EVERY_10_SECONDS });
  const server = await harness.deviceApi(db);
  try {
    await until(async () => (await db.collection('bottle_states').countDocuments(dueNow())) === 0);
    const end = Date.now() + WITHIN_MS;
    const sent = await takeDoses(server.url, BOTTLES, end);
    const since = (): number => (Date.now() - end) / 1_000;
    const acknowledged = since();
    const outcomes = (): Promise<number> => db.collection('dose_outcomes').estimatedDocumentCount();
    const before = { outcomes: await outcomes(), cpuMs: [notifier.cpuMs(), harness.mongodCpuMs()] as const };
    await until(async () => (await outcomes()) >= BOTTLES);
    const judged = since();
    const perDose = (cpuMs: number): number => (cpuMs * 1_000) / (BOTTLES - before.outcomes);
    const judging = [
      perDose(notifier.cpuMs() - before.cpuMs[0]),
      perDose(harness.mongodCpuMs() - before.cpuMs[1]),
    ] as const;
    const actions = await db.collection('bottle_actions').countDocuments();
    const taken = await db.collection('dose_outcomes').countDocuments({ outcome: 'taken_on_time' });
    if (actions !== 2 * BOTTLES || taken !== BOTTLES)
      throw new Error(`${BOTTLES} bottles: ${actions} actions in the log, ${taken} doses taken`);
    const bare = await bareSeconds(harness);
    return { ...sent, acknowledged, judged, judging, bare };
  } finally {
    await Promise.all([server.stop(), notifier.stop()]);
    await db.dropDatabase();
  }
}

/** How long the driver alone takes to write as many openings and closings of as many bottles, log and states. Seconds. */
async function bareSeconds(harness: BenchHarness): Promise<number> {
  const db = await fleetDatabase(harness, 'morning_bare', BOTTLES);
  const rate = await groupsOf(db, { size: 1_000, writers: 2, bottles: BOTTLES, seconds: 4 }, actionsOf);
  await db.dropDatabase();
  return (2 * BOTTLES) / rate;
}

const dueNow = (): mongo.Document => ({ dose_due_at: { $lte: new Date() } });

/** Every bottle was registered an hour ago, was seen just now, and has one dose a day: at this minute. */
async function scheduleNow(db: mongo.Db): Promise<void> {
  const now = new Date();
  const registered_at = new Date(now.getTime() - HOUR_MS);
  const schedule = parseSchedule({ kind: 'times_of_day', times: [now.toISOString().slice(11, 16)] });
  const version = { effective_from: registered_at, time_zone: 'UTC', schedule };
  await db
    .collection('bottles')
    .updateMany(
      {},
      { $set: { registered_at, time_zone: 'UTC', initial_pills: PILLS, schedule_versions: [version] } },
    );
  const seen = { last_heard_at: now, silent_at: new Date(now.getTime() + HOUR_MS), dose_due_at: now };
  await db.collection('bottle_states').updateMany({}, { $set: seen, $unset: { quiet: '' } });
  const until = new Date(now.getTime() + HOUR_MS);
  await db.collection('listening_spans').insertOne({ from: registered_at, until });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not done in ${PATIENCE_MS / 1_000} s`);
    await sleep(POLL_MS);
  }
}
