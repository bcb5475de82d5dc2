import type { Types } from 'mongoose';
import { collectionOf } from '../collections/families.js';
import { homeOf } from '../tiers/tiers.js';
import { startOf } from '../time/units.js';
import type { Tally, Unit } from './tally.js';

/** What a bottle says of itself: the chart's name and the log's field. */
export const VITALS = {
  battery: 'battery_percent',
  signal: 'rssi_dbm',
  mass: 'mass_of_contents',
  pills: 'number_of_pills',
} as const;
export type Vital = keyof typeof VITALS;
export const VITAL_NAMES = Object.keys(VITALS) as Vital[];

/** What one report said. */
export interface VitalsSample extends Partial<Record<(typeof VITALS)[Vital], number>> {
  bottle_id: Types.ObjectId;
  time: Date;
}

export function saysAnything(sample: VitalsSample): boolean {
  return VITAL_NAMES.some((vital) => sample[VITALS[vital]] !== undefined);
}

/** A bottle's day: `values.H.M`, and the sums of its hours, `hours.H`, and of the day. */
export function vitalsUnit(bottleId: Types.ObjectId, at: Date): Unit {
  const day = startOf('day', at);
  return {
    collection: collectionOf('ts_vitals', day),
    key: { _id: { bottle_id: bottleId, timestamp: day } },
    part: { kind: 'document' },
  };
}

/** A bottle's hour: `values.M.S`, and the hour's sums. */
export function vitalsSecondsUnit(bottleId: Types.ObjectId, at: Date): Unit {
  const hour = startOf('hour', at);
  return {
    collection: collectionOf('ts_vitals_seconds', hour),
    key: { _id: { bottle_id: bottleId, timestamp: hour } },
    part: { kind: 'document' },
  };
}

/** Counts a sample into its bottle's day, unless that is past keeping. */
export function countVitals(tally: Tally, sample: VitalsSample, now: Date): void {
  if (homeOf(sample.time, now) === '1d') return;
  const [hour, minute] = [sample.time.getUTCHours(), sample.time.getUTCMinutes()];
  const paths = [`values.${hour}.${minute}`, `hours.${hour}`, 'sums'];
  addAll(tally, vitalsUnit(sample.bottle_id, sample.time), paths, sample);
}

/** Counts a sample of a bottle that reports several times a minute into its hour, too. */
export function countVitalsSecond(tally: Tally, sample: VitalsSample, now: Date): void {
  if (homeOf(sample.time, now) !== '1m') return;
  const [minute, second] = [sample.time.getUTCMinutes(), sample.time.getUTCSeconds()];
  const paths = [`values.${minute}.${second}`, 'sums'];
  addAll(tally, vitalsSecondsUnit(sample.bottle_id, sample.time), paths, sample);
}

function addAll(tally: Tally, unit: Unit, paths: readonly string[], sample: VitalsSample): void {
  for (const vital of VITAL_NAMES) {
    const value = sample[VITALS[vital]];
    if (value === undefined) continue;
    for (const path of paths) tally.addSample(unit, `${path}.${vital}`, value);
  }
}
