import { type BottleAction, PersistenceModule } from '#persistence';
import { Clock, ManualClock } from '#platform';
import { ActivityRecorder, type CountedReport, RollUps, TimeseriesModule } from '#timeseries';
import { NestFactory } from '@nestjs/core';
import { mongo } from 'mongoose';
import { bottleOf, registered } from '../load/fleet.js';
import type { BenchHarness } from '../harness.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HALF_HOUR = 30 * MINUTE;
const DAY = 48 * HALF_HOUR;
const DAYS = 62;
/** A fleet's reports come at any time; here they come at once while only hours are drawn of it. */
const COMING: { until: number; every: number }[] = [
  { until: 2 * DAY, every: HALF_HOUR },
  { until: 2 * HALF_HOUR, every: MINUTE },
  { until: 0, every: SECOND },
];
/** One a minute. */
const BOTTLES = HALF_HOUR / MINUTE;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

/** The bottle whose charts are drawn; in the last hour it reports every second. */
export const WATCHED = bottleOf(0)._id;

/** What a small fleet reported up to now, counted as it would have been: the charts' documents are those of any fleet. */
export async function twoMonths(harness: BenchHarness, db: mongo.Db): Promise<void> {
  const end = Date.now();
  const clock = new ManualClock(new Date(end - DAYS * DAY));
  class TwoMonths {}
  const persistence = PersistenceModule.forRoot(harness.uriOf(db), { heartbeatRetention: 1_209_600_000 });
  const context = await NestFactory.createApplicationContext(
    {
      module: TwoMonths,
      imports: [persistence, TimeseriesModule],
      providers: [{ provide: Clock, useValue: clock }, ActivityRecorder],
    },
    { logger: ['error'], abortOnError: false },
  );
  await db.collection('bottles').insertOne(registered(0, clock.now()));
  const recorder = context.get(ActivityRecorder);
  let written = clock.now().getTime();
  for (const { until, every } of COMING) {
    while (clock.now().getTime() + every <= end - until) {
      clock.advance(every);
      recorder.record(reportsOf(clock.now(), every), clock.now());
      if (clock.now().getTime() - written < DAY) continue;
      written = clock.now().getTime();
      await recorder.flush();
      await context.get(RollUps).run(clock);
    }
  }
  await recorder.finish();
  await context.get(RollUps).run(clock);
  await context.close();
}

function reportsOf(time: Date, every: number): CountedReport[] {
  const minute = Math.floor(time.getTime() / MINUTE);
  const all = Array.from({ length: BOTTLES }, (_, n) => n);
  if (every === HALF_HOUR) return all.flatMap((n) => [heartbeatOf(n, time), ...closingOf(n, time)]);
  const turn = minute % BOTTLES;
  return every === MINUTE ? [heartbeatOf(turn, time), ...closingOf(turn, time)] : [heartbeatOf(0, time)];
}

function heartbeatOf(n: number, time: Date): CountedReport {
  const fields = { battery_percent: 40 + ((halfHourOf(time) + n) % 50), rssi_dbm: -60 };
  return { kind: 'heartbeat', document: { _id: new mongo.ObjectId(), ...ownerOf(n), time, ...fields } };
}

/** Every bottle twice a day. */
function closingOf(n: number, time: Date): CountedReport[] {
  if (halfHourOf(time) % 24 !== n % 24) return [];
  const closed = { action: 'closed', pills_taken: 1, mass_of_contents: 40, number_of_pills: 20 } as const;
  const document: BottleAction = {
    _id: new mongo.ObjectId(),
    ...ownerOf(n),
    ...closed,
    time,
    received_at: time,
  };
  return [{ kind: 'action', document, time_zone: ZONES[n % ZONES.length]! }];
}

function ownerOf(n: number): Pick<BottleAction, 'bottle_id' | 'user_id' | 'medication'> {
  const { _id: bottle_id, user_id } = bottleOf(n);
  return { bottle_id, user_id, medication: 'Cordrazine' };
}

const halfHourOf = (time: Date): number => Math.floor((time.getTime() % DAY) / HALF_HOUR);
