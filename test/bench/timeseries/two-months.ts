import { type BottleAction, PersistenceModule } from '#persistence';
import { Clock, ManualClock } from '#platform';
import { ActivityRecorder, type CountedReport, RollUps, TimeseriesModule } from '#timeseries';
import { NestFactory } from '@nestjs/core';
import { mongo } from 'mongoose';
import { bottleOf, registered } from '../load/fleet.js';
import type { Stage } from '../stage/stage.js';

const DAYS = 62;
const HALF_HOUR = 30 * 60_000;
const BOTTLES = 20;
const ROUNDS_A_DAY = 48;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

/** The bottle whose charts are drawn. */
export const WATCHED = bottleOf(0)._id;

/** What a small fleet reported up to now, counted as it would have been: the charts' documents are those of any fleet. */
export async function twoMonths(stage: Stage, db: mongo.Db): Promise<void> {
  const clock = new ManualClock(new Date(Date.now() - DAYS * ROUNDS_A_DAY * HALF_HOUR));
  class TwoMonths {}
  const persistence = PersistenceModule.forRoot(stage.uriOf(db), { heartbeatRetention: 1_209_600_000 });
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
  for (let day = 0; day < DAYS; day += 1) {
    for (let round = 0; round < ROUNDS_A_DAY; round += 1) {
      clock.advance(HALF_HOUR);
      recorder.record(reportsOf(clock.now(), round), clock.now());
    }
    await recorder.flush();
    await context.get(RollUps).run(clock);
  }
  await recorder.finish();
  await context.close();
}

function reportsOf(time: Date, round: number): CountedReport[] {
  return Array.from({ length: BOTTLES }, (_, n): CountedReport[] => {
    const { _id: bottle_id, user_id } = bottleOf(n);
    const owner = { bottle_id, user_id, medication: 'Cordrazine' };
    const said = { battery_percent: 40 + ((round + n) % 50), rssi_dbm: -60 };
    const heartbeat = { _id: new mongo.ObjectId(), ...owner, time, ...said };
    const reports: CountedReport[] = [{ kind: 'heartbeat', document: heartbeat }];
    if (round % 24 !== n % 24) return reports;
    const closed = { action: 'closed', pills_taken: 1, mass_of_contents: 40, number_of_pills: 20 } as const;
    const document: BottleAction = {
      _id: new mongo.ObjectId(),
      ...owner,
      ...closed,
      time,
      received_at: time,
    };
    return [...reports, { kind: 'action', document, time_zone: ZONES[n % ZONES.length]! }];
  }).flat();
}
