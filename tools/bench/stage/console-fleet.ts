import { parseSchedule } from '#domain';
import { BottleSchema } from '#persistence';
import { Types, type mongo } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { bigFleet, bigFleetId, bigFleetOwner, madeInDatabase } from './big-fleet.js';
import { activity } from './console-activity.js';
import { findable } from './console-search.js';
import { makeIndexes } from './fleet-database.js';
import type { Stage } from './stage.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const OPEN_ALERTS = 10_000;
const ENDED_ALERTS = 100_000;
const GROUP = 5_000;
const KINDS = [
  { kind: 'bottle_silent', state: { quiet: 'silent', silent: true } },
  { kind: 'bottle_silent', state: { quiet: 'silent', silent: true } },
  { kind: 'bottle_open', state: { open: true, open_alerted: true } },
  { kind: 'missed_dose', state: { late: true } },
] as const;

/** The bottle that has most to show. */
export const SHOWN = bigFleetId(0);

/** A large fleet as the console reads it: registry, states, search, open and ended alerts, their messages, counts. */
export async function consoleFleet(stage: Stage, bottles: number, now: Date): Promise<mongo.Db> {
  const db = stage.newDatabase('console');
  await makeIndexes(stage, db);
  // filled first, and then indexed: much sooner than both at once
  for (const collection of ['bottle_states', 'bottles']) await db.collection(collection).dropIndexes();
  await Promise.all([
    bigFleet(db, bottles, now).then(() => troubles(db, bottles, now)),
    registry(db, bottles, now).then(() => findable(db, bottles)),
  ]);
  await history(db, now);
  // what comes in now, not what came in when the fleet was begun
  await activity(db, bottles, new Date());
  return db;
}

async function registry(db: mongo.Db, bottles: number, now: Date): Promise<void> {
  const version = {
    effective_from: new Date(now.getTime() - 30 * DAY_MS),
    time_zone: 'America/New_York',
    schedule: parseSchedule({ kind: 'times_of_day', times: ['08:00', '20:00'] }),
  };
  await madeInDatabase(db, 'bottles', bottles, BottleSchema, {
    time_zone: 'America/New_York',
    registered_at: { $literal: version.effective_from },
    token_hash: { $concat: ['token ', { $toString: '$n' }] },
    revoked_token_hashes: [],
    schedule_versions: { $literal: [version] },
    pauses: [],
  });
}

/** Alerts, open and over, spread over the whole fleet, each with its message. */
async function troubles(db: mongo.Db, bottles: number, now: Date): Promise<void> {
  const step = Math.floor(bottles / OPEN_ALERTS);
  for (let from = 0; from < OPEN_ALERTS + ENDED_ALERTS; from += GROUP) {
    const made = Array.from({ length: GROUP }, (_, index) => alertOf(from + index, step, bottles, now));
    await Promise.all([
      db.collection('alerts').insertMany(made.map(({ alert }) => alert)),
      db.collection('deliveries').insertMany(made.map(({ delivery }) => delivery)),
    ]);
    const states = made.flatMap(({ alert, state }) =>
      state ? [{ updateOne: { filter: { _id: alert.bottle_id }, update: { $set: state } } }] : [],
    );
    if (states.length > 0) await db.collection('bottle_states').bulkWrite(states, { ordered: false });
  }
}

function alertOf(n: number, step: number, bottles: number, now: Date) {
  const open = n < OPEN_ALERTS;
  const { kind, state } = KINDS[n % KINDS.length]!;
  const raised_at = new Date(now.getTime() - (n + 1) * MINUTE_MS);
  const bottle = (n * step) % bottles;
  const alert = {
    // lies anywhere, as the notifier's own do
    _id: new Types.ObjectId(randomBytes(12)),
    bottle_id: new Types.ObjectId(bigFleetId(bottle)),
    user_id: bigFleetOwner(bottle),
    medication: 'Cordrazine',
    kind,
    subject: kind === 'missed_dose' ? raised_at.toISOString() : '',
    state: open ? 'open' : 'resolved',
    ...(open ? { open: true } : { ended_at: now }),
    deadline: raised_at,
    raised_at,
    evidence: { rule: 'silent for 60m' },
    history: [{ event: 'raised', at: raised_at, by: 'notifier' }],
    escalation: [],
  };
  const delivery = {
    _id: alert._id.toHexString().padStart(32, '0') as never,
    alert_id: alert._id,
    bottle_id: alert.bottle_id,
    kind,
    event: 'raised',
    step: 'raised',
    recipient: 'operator',
    channel: 'webhook',
    status: n % 100 === 0 ? 'dead' : 'delivered',
    attempts: [{ at: raised_at, ok: n % 100 !== 0 }],
    created_at: raised_at,
  };
  return { alert, delivery, state: open ? state : undefined };
}

/** A month of one bottle. */
async function history(db: mongo.Db, now: Date): Promise<void> {
  const bottle = await db.collection('bottle_states').findOne({ _id: new Types.ObjectId(SHOWN) });
  const { _id: bottle_id, user_id, medication } = bottle!;
  const about = { bottle_id, user_id, medication };
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  await db
    .collection('bottle_heartbeats')
    .insertMany(Array.from({ length: 14 * 48 }, (_, n) => ({ ...about, time: ago(n * 30 * MINUTE_MS) })));
  await db.collection('bottle_actions').insertMany(
    Array.from({ length: 120 }, (_, n) => ({
      ...about,
      time: ago((n + 1) * (DAY_MS / 4)),
      received_at: ago((n + 1) * (DAY_MS / 4)),
      action: n % 2 === 0 ? 'closed' : 'opened',
      mass_of_contents: 40,
      number_of_pills: 20,
      ...(n % 2 === 0 ? { pills_taken: 1 } : {}),
    })),
  );
  await db.collection('dose_outcomes').insertMany(
    Array.from({ length: 60 }, (_, n) => ({
      bottle_id,
      scheduled_at: ago((n + 1) * (DAY_MS / 2)),
      outcome: n % 9 === 0 ? 'missed' : 'taken_on_time',
      pills_scheduled: 1,
      pills_taken: 1,
      judged_at: now,
    })),
  );
}
