import { MINUTE_MS, SECOND_MS } from '#domain';
import {
  type BottleAction,
  BottleActionsRepository,
  type BottleHeartbeat,
  BottleHeartbeatsRepository,
  PersistenceModule,
} from '#persistence';
import { ManualClock } from '#platform';
import { ReportRollUp, LiveCounts, TimeseriesModule, VitalsHistory } from '#timeseries';
import { NestFactory } from '@nestjs/core';
import { mongo } from 'mongoose';
import { bottleOf, registered } from '../load/fleet.js';
import type { BenchHarness } from '../harness.js';

const HALF_HOUR = 30 * MINUTE_MS;
const DAY = 48 * HALF_HOUR;
const DAYS = 62;
/** HEARTBEAT_RETENTION. */
const HEARTBEATS_KEPT = 14 * DAY;
/** A fleet's reports come at any time; here they come at once while only hours are drawn of it. */
const COMING: { until: number; every: number }[] = [
  { until: 2 * DAY, every: HALF_HOUR },
  { until: 2 * HALF_HOUR, every: MINUTE_MS },
  { until: 0, every: SECOND_MS },
];
/** One a minute. */
const BOTTLES = HALF_HOUR / MINUTE_MS;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

/** The bottle whose charts are drawn; in the last hour it reports every second. */
export const WATCHED = bottleOf(0)._id;

/** What a small fleet reported up to now, counted as it would have been: the charts' documents are those of any fleet. */
export async function twoMonths(harness: BenchHarness, db: mongo.Db): Promise<void> {
  const end = Date.now();
  const clock = new ManualClock(new Date(end - DAYS * DAY));
  const persistence = PersistenceModule.forRoot(harness.uriOf(db), { heartbeatRetention: 2 * DAYS * DAY });
  class TwoMonths {}
  const context = await NestFactory.createApplicationContext(
    { module: TwoMonths, imports: [persistence, TimeseriesModule] },
    { logger: ['error'], abortOnError: false },
  );
  const fleet = Array.from({ length: BOTTLES }, (_, n) => n);
  const zoneOf = (n: number): object => ({ time_zone: ZONES[n % ZONES.length]! });
  await db
    .collection<{ _id: mongo.ObjectId }>('bottles')
    .insertMany(fleet.map((n) => ({ ...registered(n, clock.now()), _id: bottleOf(n)._id, ...zoneOf(n) })));
  const [heartbeats, actions] = [
    context.get(BottleHeartbeatsRepository),
    context.get(BottleActionsRepository),
  ];
  const live = context.get(LiveCounts);
  for (const { until, every } of COMING) {
    while (clock.now().getTime() + every <= end - until) {
      clock.advance(every);
      const senders = sendersAt(clock.now(), every);
      await heartbeats.insert(senders.map((n) => heartbeatOf(n, clock.now())));
      if (every === SECOND_MS) live.count('heartbeats', clock.now());
      await actions.insert(every < MINUTE_MS ? [] : senders.flatMap((n) => closingOf(n, clock.now())));
    }
  }
  await live.flush(clock.now());
  clock.set(new Date(end + 2 * MINUTE_MS));
  await context.get(ReportRollUp).run(clock);
  await context.get(VitalsHistory).run(clock, new Date(0), Number.POSITIVE_INFINITY);
  // as after two weeks: of the days before only the documents are left
  await db.collection('bottle_heartbeats').deleteMany({ time: { $lt: new Date(end - HEARTBEATS_KEPT) } });
  await context.close();
}

/** All every half hour; one a minute; in the last hour one, every second. */
function sendersAt(time: Date, every: number): number[] {
  if (every === HALF_HOUR) return Array.from({ length: BOTTLES }, (_, n) => n);
  return every === MINUTE_MS ? [Math.floor(time.getTime() / MINUTE_MS) % BOTTLES] : [0];
}

function heartbeatOf(n: number, time: Date): BottleHeartbeat {
  const fields = { battery_percent: 40 + ((halfHourOf(time) + n) % 50), rssi_dbm: -60 };
  return { _id: new mongo.ObjectId(), ...ownerOf(n), time, ...fields };
}

/** Every bottle twice a day. */
function closingOf(n: number, time: Date): BottleAction[] {
  if (halfHourOf(time) % 24 !== n % 24) return [];
  const closed = { action: 'closed', pills_taken: 1, mass_of_contents: 40, number_of_pills: 20 } as const;
  return [{ _id: new mongo.ObjectId(), ...ownerOf(n), ...closed, time, received_at: time }];
}

function ownerOf(n: number): Pick<BottleAction, 'bottle_id' | 'user_id' | 'medication'> {
  const { _id: bottle_id, user_id } = bottleOf(n);
  return { bottle_id, user_id, medication: 'Cordrazine' };
}

const halfHourOf = (time: Date): number => Math.floor((time.getTime() % DAY) / HALF_HOUR);
