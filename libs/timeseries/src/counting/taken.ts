import { wallClock } from '../time/wall-clock.js';
import { DAY, HOUR, MINUTE, startOf } from '../time/units.js';
import type { Tally, Unit } from './tally.js';

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

/**
 * Counts a removal under its tags, by the wall clock where the bottle is: "in the morning" means the same
 * everywhere, and on every day of the year.
 */
export function countTaken(tally: Tally, removal: Removal): void {
  if (removal.pills_taken <= 0) return;
  const shown = wallClock(removal.time, removal.time_zone);
  for (const zone of [removal.time_zone, ALL_ZONES]) {
    const { unit, day, hour } = takenUnit(removal.medication, zone, shown);
    const part = Math.floor((shown.getTime() % HOUR) / ((60 / PARTS_OF_HOUR) * MINUTE));
    const levels = ['', `days.${day}.`, `days.${day}.hours.${hour}.`];
    for (const level of [...levels, `days.${day}.hours.${hour}.minutes.${part}.`]) {
      tally.add(unit, `${level}pills_taken`, removal.pills_taken);
      tally.add(unit, `${level}doses`, 1);
    }
  }
}

/** The hour of a month's document in which a moment of the wall clock is counted. */
export function takenUnit(
  medication: string,
  timeZone: string,
  shown: Date,
): { unit: Unit; day: number; hour: number } {
  const date = startOf('month', shown);
  const day = Math.floor((shown.getTime() - date.getTime()) / DAY);
  const hour = shown.getUTCHours();
  const key = { medication, time_zone: timeZone, date };
  return { unit: { collection: TAKEN, key, part: { kind: 'hour', day, hour } }, day, hour };
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
