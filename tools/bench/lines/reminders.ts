import { MINUTE_MS, DAY_MS } from '#domain';
import type { mongo } from 'mongoose';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebhookReceiver } from '../../harness/webhook-receiver.js';
import { makeIndexes } from '../fixtures/fleet-database.js';
import type { BenchHarness } from '../harness.js';
import { bottleOf, registered } from '../load/fleet.js';
import { atMost, type Line } from '../report/line.js';
import { percentile, spread } from '../report/rounds.js';

const DUE = 20_000;
const GROUP = 2_000;
/** From now until the first dose: the fleet is there by then. */
const SEEDING_MS = 15_000;
const PATIENCE_MS = 3 * MINUTE_MS;
const POLL_MS = 500;
/** `CHECK_DOSES_CRON`, which is left as it is. */
const INTERVAL_S = 60;

/** Line 27: from the time of a dose to the attempt to remind of it, many due in one minute. */
export async function reminders(harness: BenchHarness): Promise<Line[]> {
  const receiver = await WebhookReceiver.start();
  const db = harness.newDatabase('reminders');
  await makeIndexes(harness, db);
  const notifier = await harness.notifier(db, {
    RECONCILE_CRON: '0 0 29 2 *',
    WEBHOOK_URL: receiver.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  try {
    const due = await dueInOneMinute(db, Date.now() + SEEDING_MS);
    await delivered(db, Math.max(...due.values()) + PATIENCE_MS);
    const attempts = receiver.requests.splice(0);
    const dueOf = new Map(
      (await db.collection('deliveries').find().toArray()).map(({ _id, bottle_id }) => [
        String(_id),
        due.get(String(bottle_id))!,
      ]),
    );
    if (attempts.length !== DUE || new Set(attempts.map(({ id }) => id)).size !== DUE)
      throw new Error(`${DUE} reminders were due, ${attempts.length} sent`);
    const delays = attempts.map(({ id, at }) => (at - dueOf.get(id)!) / 1_000).toSorted((a, b) => a - b);
    if (delays[0]! < 0) throw new Error('a person was reminded too early');
    const at = (share: number): string => `${percentile(delays, share).toFixed(2)} s`;
    return [
      {
        ...atMost(
          27,
          `from the time of a dose to the attempt to remind of it, p99 of ${DUE} due in one minute`,
          INTERVAL_S + 1,
          spread([percentile(delays, 0.99)]),
          's',
        ),
        figures: {
          p50: at(0.5),
          max: at(1),
          'longest that one overtook another': `${overtaken(attempts.map(({ id }) => dueOf.get(id)!)).toFixed(2)} s`,
        },
      },
    ];
  } finally {
    await notifier.stop();
    await receiver.stop();
    await db.dropDatabase();
  }
}

/** Inserts bottles whose doses are due one after the other, all within a minute. @returns when, by the bottle's id */
async function dueInOneMinute(db: mongo.Db, begin: number): Promise<ReadonlyMap<string, number>> {
  const dueAt = (n: number): number => begin + Math.floor((n * MINUTE_MS) / DUE);
  const now = new Date();
  const users = new Set<string>();
  for (let from = 0; from < DUE; from += GROUP) {
    const group = Array.from({ length: Math.min(GROUP, DUE - from) }, (_, index) => from + index);
    for (const n of group) users.add(bottleOf(n).user_id);
    await db.collection('bottles').insertMany(
      group.map((n) => {
        const schedule = { kind: 'interval', every: '24h', anchor: new Date(dueAt(n)).toISOString() };
        const windows = { early_window: '2h', late_after: '1h', missed_after: '4h' };
        const version = {
          effective_from: now,
          time_zone: 'UTC',
          schedule: { ...schedule, pills_per_dose: 1, ...windows },
        };
        return { ...registered(n, now), schedule_versions: [version] };
      }),
    );
    await db.collection<{ _id: mongo.ObjectId }>('bottle_states').insertMany(
      group.map((n) => {
        const { _id, user_id, medication } = bottleOf(n);
        const contact = { last_heard_at: now, silent_at: new Date(now.getTime() + DAY_MS) };
        return { _id, user_id, medication, ...contact, dose_due_at: new Date(dueAt(n)) };
      }),
    );
  }
  const escalation = [{ remind: '0m', to: 'user' }];
  await db
    .collection<{ _id: string }>('contacts')
    .insertMany(
      [...users].map((_id) => ({ _id, webhook: true, time_zone: 'UTC', escalation, changed_at: now })),
    );
  if (Date.now() > begin) throw new Error('seeding took too long');
  return new Map(Array.from({ length: DUE }, (_, n) => [bottleOf(n)._id.toHexString(), dueAt(n)]));
}

async function delivered(db: mongo.Db, until: number): Promise<void> {
  while ((await db.collection('deliveries').countDocuments({ status: 'delivered' })) < DUE) {
    if (Date.now() > until)
      throw new Error(`not all were reminded by ${PATIENCE_MS / 1_000} s after the last dose`);
    await sleep(POLL_MS);
  }
}

/** By how much a reminder that was sent later was due earlier, at most. @param due in the order of sending. Seconds. */
function overtaken(due: readonly number[]): number {
  let [latest, most] = [0, 0];
  for (const at of due) {
    most = Math.max(most, latest - at);
    latest = Math.max(latest, at);
  }
  return most / 1_000;
}
