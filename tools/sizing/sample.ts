import { actionId, heartbeatId, MINUTE_MS } from '#domain';
import type { BottleAction, BottleHeartbeat } from '#persistence';
import { Types } from 'mongoose';
import { randomBytes } from 'node:crypto';

/** How much is written to measure by. */
export interface Sample {
  bottles: number;
  /** Of the bottles, how many send heartbeats and actions; the others only have a state. */
  heartbeatBottles: number;
  heartbeatsPerBottle: number;
  actionBottles: number;
  dosesPerBottle: number;
  /** How often each state is moved on by a contact. */
  contacts: number;
}

/** Two weeks of heartbeats, as deep as the log ever is; 100 days of doses. */
export const SAMPLE: Sample = {
  bottles: 3_000,
  heartbeatBottles: 300,
  heartbeatsPerBottle: 672,
  actionBottles: 250,
  dosesPerBottle: 200,
  contacts: 20,
};

export interface SampleBottle {
  _id: Types.ObjectId;
  user_id: string;
  medication: string;
}

const HEARTBEAT_EVERY = 30 * MINUTE_MS;
const DOSE_EVERY = 12 * 60 * MINUTE_MS;
const BOTTLES_OF_A_USER = 3;

const FIRST_NAMES = ['will', 'maria', 'jun', 'fatima', 'olu', 'ana', 'peter', 'svetlana', 'li', 'george'];
const LAST_NAMES = ['cross', 'garcia', 'tanaka', 'okafor', 'silva', 'jones', 'ivanova', 'wu', 'schmidt'];
const MEDICATIONS = [
  ['Cordrazine', 'Metformin', 'Lisinopril', 'Atorvastatin', 'Levothyroxine', 'Amlodipine'],
  ['Omeprazole', 'Warfarin', 'Sertraline', 'Hydrochlorothiazide', 'Insulin glargine', 'Apixaban'],
].flat();

/** Bottles in random order, as their phases of reporting lie, registered in the course of a year. */
export function sampleBottles(count: number, now: Date): SampleBottle[] {
  const process = randomBytes(5).toString('hex');
  const year = 365 * 24 * 60;
  return Array.from({ length: count }, (_, index) => {
    const registered = Math.floor(now.getTime() / 1000) - Math.floor((year * 60 * (count - index)) / count);
    const serial = index.toString(16).padStart(6, '0');
    return {
      _id: new Types.ObjectId(registered.toString(16).padStart(8, '0') + process + serial),
      user_id: userOf(Math.floor(index / BOTTLES_OF_A_USER)),
      medication: MEDICATIONS[index % MEDICATIONS.length]!,
    };
  }).sort(() => Math.random() - 0.5);
}

function userOf(serial: number): string {
  const first = FIRST_NAMES[serial % FIRST_NAMES.length]!;
  return `${first}${LAST_NAMES[(serial * 7) % LAST_NAMES.length]!}${(serial * 37) % 10_000}`;
}

/** Heartbeats as they arrive: every bottle once, then every bottle again half an hour later. */
export function* sampleHeartbeats(
  bottles: SampleBottle[],
  perBottle: number,
  until: Date,
): Generator<BottleHeartbeat> {
  const step = HEARTBEAT_EVERY / bottles.length;
  for (let round = perBottle; round > 0; round -= 1) {
    for (const [place, bottle] of bottles.entries()) {
      const time = new Date(until.getTime() - round * HEARTBEAT_EVERY + place * step);
      const id = heartbeatId(bottle._id.toHexString(), time);
      // as the simulator's: a battery that lasts for months, and a signal that comes and goes
      const battery_percent = 20 + ((place + Math.floor(round / 48)) % 80);
      const rssi_dbm = -50 - Math.floor(Math.random() * 40);
      yield { _id: new Types.ObjectId(id), ...ownerOf(bottle), time, battery_percent, rssi_dbm };
    }
  }
}

/** Openings and closings as they arrive: two doses a day, bottle after bottle, all with ids of the device's. */
export function* sampleActions(
  bottles: SampleBottle[],
  dosesPerBottle: number,
  until: Date,
): Generator<BottleAction> {
  const step = DOSE_EVERY / bottles.length;
  for (let round = dosesPerBottle; round > 0; round -= 1) {
    for (const [place, bottle] of bottles.entries()) {
      const jitter = Math.random() * 20 * MINUTE_MS;
      const opened = new Date(until.getTime() - round * DOSE_EVERY + Math.floor(place * step + jitter));
      const closed = new Date(opened.getTime() + 15_000 + Math.floor(Math.random() * 45_000));
      const pills = 1 + ((round + place) % 60);
      const serial = 2 * (dosesPerBottle - round);
      yield action(bottle, opened, serial, { action: 'opened', number_of_pills: pills });
      yield action(bottle, closed, serial + 1, {
        action: 'closed',
        number_of_pills: pills - 1,
        pills_taken: 1,
      });
    }
  }
}

function action(
  bottle: SampleBottle,
  time: Date,
  serial: number,
  what: Pick<BottleAction, 'action' | 'pills_taken'> & { number_of_pills: number },
): BottleAction {
  const fields = {
    ...what,
    mass_of_contents: Math.round(what.number_of_pills * 177) / 100,
    event_id: `a7f3-${String(serial).padStart(7, '0')}`,
  };
  const id = actionId(bottle._id.toHexString(), { ...fields, time });
  return {
    _id: new Types.ObjectId(id),
    ...ownerOf(bottle),
    ...fields,
    time,
    received_at: new Date(time.getTime() + 1_200),
  };
}

function ownerOf({ _id, user_id, medication }: SampleBottle): Omit<BottleHeartbeat, '_id' | 'time'> {
  return { bottle_id: _id, user_id, medication };
}
