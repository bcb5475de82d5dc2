import { HOUR_MS, DAY_MS } from '#domain';
import { LONG_COMMAND } from '#persistence';
import { wallClock } from '../time/wall-clock.js';
import { endOf, floor, spansBetween, startOf } from '../time/units.js';
import { RangedCollections } from '../collections/ranged-collections.js';
import type { Tally } from './tally.js';

export const TAKEN = 'ts_taken';
/** Stands for the people of all zones together. */
export const ALL_ZONES = '*';
/** What `minutes` divides an hour into (docs/time-series.md says why not one). Milliseconds. */
const QUARTER = HOUR_MS / 4;

/** Pills that were removed from a bottle at one closing. */
export interface Removal {
  time: Date;
  pills_taken: number;
  medication: string;
  /** The zone of the bottle at that time. */
  time_zone: string;
}

export interface Taken {
  pills_taken: number;
  doses: number;
}

/** A document's tags, and its month. */
export interface TakenMonth {
  medication: string;
  time_zone: string;
  date: Date;
}

/** A quarter of an hour of the wall clock in which something was taken, by its tags. */
export interface TakenSlot {
  medication: string;
  time_zone: string;
  /** Its start by the wall clock, written as if it were UTC. */
  shown: Date;
}

/**
 * Where a removal counts, in its zone and in all together, by the wall clock where the bottle is: "in the morning"
 * means the same everywhere, and on every day of the year.
 */
export function takenSlots({ time, pills_taken, medication, time_zone }: Removal): TakenSlot[] {
  if (pills_taken <= 0) return [];
  const shown = floor(wallClock(time, time_zone), QUARTER);
  return [time_zone, ALL_ZONES].map((zone) => ({ medication, time_zone: zone, shown }));
}

export function countTaken(tally: Tally, removal: Removal): void {
  for (const slot of takenSlots(removal)) {
    addTaken(tally, slot, 'pills_taken', removal.pills_taken);
    addTaken(tally, slot, 'doses', 1);
  }
}

/** Adds to a quarter of an hour, and to its hour, its day and its month. */
export function addTaken(tally: Tally, slot: TakenSlot, key: keyof Taken, amount: number): void {
  const { medication, time_zone, shown } = slot;
  const bucket = { collection: TAKEN, key: { medication, time_zone, date: startOf('month', shown) } };
  const day = `days.${shown.getUTCDate() - 1}`;
  const hour = `${day}.hours.${shown.getUTCHours()}`;
  const quarter = `${hour}.minutes.${Math.floor((shown.getTime() % HOUR_MS) / QUARTER)}`;
  tally.add(bucket, key, amount);
  for (const level of [day, hour, quarter]) tally.add(bucket, `${level}.${key}`, amount);
}

/** A month with nothing taken yet, complete to the last quarter of an hour. */
export function emptyMonth({ medication, time_zone, date }: TakenMonth): object {
  const parts = (from: Date, to: Date, length: number, more: (from: Date, to: Date) => object): object[] =>
    Array.from({ length: (to.getTime() - from.getTime()) / length }, (_, index) => {
      const start = new Date(from.getTime() + index * length);
      return { date: start, pills_taken: 0, doses: 0, ...more(start, new Date(start.getTime() + length)) };
    });
  const minutes = (from: Date, to: Date): object => ({ minutes: parts(from, to, QUARTER, () => ({})) });
  const hours = (from: Date, to: Date): object => ({ hours: parts(from, to, HOUR_MS, minutes) });
  const days = parts(date, endOf('month', date), DAY_MS, hours);
  return { date, medication, time_zone, pills_taken: 0, doses: 0, days };
}

/** What is not 0. @param from and `to`: hours of the wall clock, written as if they were UTC. */
export function readTaken(
  collections: RangedCollections,
  { from, to }: { from: Date; to: Date },
): Promise<(TakenSlot & Taken)[]> {
  const quarter = '$days.hours.minutes';
  const [pills_taken, doses] = [`${quarter}.pills_taken`, `${quarter}.doses`];
  const shown = `${quarter}.date`;
  return collections
    .existing(TAKEN)
    .aggregate<TakenSlot & Taken>(
      [
        { $match: { date: { $in: spansBetween('month', from, to) } } },
        { $unwind: '$days' },
        { $match: { 'days.date': { $gte: startOf('day', from), $lt: to } } },
        { $unwind: '$days.hours' },
        { $unwind: quarter },
        { $project: { _id: 0, medication: 1, time_zone: 1, shown, pills_taken, doses } },
        {
          $match: {
            shown: { $gte: from, $lt: to },
            $or: [{ pills_taken: { $ne: 0 } }, { doses: { $ne: 0 } }],
          },
        },
      ],
      LONG_COMMAND,
    )
    .toArray();
}
