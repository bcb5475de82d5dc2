import { wallClock } from '../time/wall-clock.js';
import { DAY, floor, HOUR, startOf } from '../time/units.js';
import type { Bucket, Tally } from './tally.js';

export const TAKEN = 'ts_taken';
/** Stands for the people of all zones together. */
export const ALL_ZONES = '*';
/** What `minutes` divides an hour into: 15 minutes each (docs/time-series.md says why not one). */
export const PARTS_OF_HOUR = 4;

/** Pills that were removed from a bottle at one closing. */
export interface Removal {
  time: Date;
  pills_taken: number;
  medication: string;
  /** The zone of the bottle at that time. */
  time_zone: string;
}

export type TakenKey = 'pills_taken' | 'doses';

/** A quarter of an hour of the wall clock in which something was taken, by its tags. */
export interface TakenSlot {
  medication: string;
  time_zone: string;
  /** Its start by the wall clock, written as if it were UTC. */
  shown: Date;
}

/**
 * Counts a removal under its tags, by the wall clock where the bottle is: "in the morning" means the same
 * everywhere, and on every day of the year.
 */
export function countTaken(tally: Tally, removal: Removal): void {
  for (const slot of takenSlots(removal)) {
    addTaken(tally, slot, 'pills_taken', removal.pills_taken);
    addTaken(tally, slot, 'doses', 1);
  }
}

/** Where a removal counts: in its zone, and in all together. */
export function takenSlots({ time, pills_taken, medication, time_zone }: Removal): TakenSlot[] {
  if (pills_taken <= 0) return [];
  const shown = floor(wallClock(time, time_zone), HOUR / PARTS_OF_HOUR);
  return [time_zone, ALL_ZONES].map((zone) => ({ medication, time_zone: zone, shown }));
}

/** Adds to a quarter of an hour, and to its hour, its day and its month. */
export function addTaken(tally: Tally, slot: TakenSlot, key: TakenKey, amount: number): void {
  const { medication, time_zone, shown } = slot;
  const date = startOf('month', shown);
  const bucket: Bucket = { collection: TAKEN, key: { medication, time_zone, date } };
  const [day, hour] = [shown.getUTCDate() - 1, shown.getUTCHours()];
  const part = Math.floor((shown.getTime() % HOUR) / (HOUR / PARTS_OF_HOUR));
  const levels = ['', `days.${day}.`, `days.${day}.hours.${hour}.`];
  for (const level of [...levels, `days.${day}.hours.${hour}.minutes.${part}.`])
    tally.add(bucket, `${level}${key}`, amount);
}

/** A month with nothing taken yet, complete to the last quarter of an hour. */
export function emptyMonth(medication: string, timeZone: string, date: Date): object {
  const nothing = { pills_taken: 0, doses: 0 };
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  const dates = (from: number, length: number, count: number): Date[] =>
    Array.from({ length: count }, (_, index) => new Date(from + index * length));
  const minutes = (from: Date): object[] =>
    dates(from.getTime(), HOUR / PARTS_OF_HOUR, PARTS_OF_HOUR).map((at) => ({ date: at, ...nothing }));
  const hours = (from: Date): object[] =>
    dates(from.getTime(), HOUR, 24).map((at) => ({ date: at, ...nothing, minutes: minutes(at) }));
  const days = dates(date.getTime(), DAY, Math.round((end - date.getTime()) / DAY));
  return {
    date,
    medication,
    time_zone: timeZone,
    ...nothing,
    days: days.map((at) => ({ date: at, ...nothing, hours: hours(at) })),
  };
}
