import { DAY_MS } from '../time/durations.js';
import type { Prescribed } from './extra-doses.js';
import { slotsBetween } from './slots.js';

/** Pills for more than this are not looked for: a box of a month has 31 days. Milliseconds. */
const LONGEST_MS = 62 * DAY_MS;

/** For which doses pills that were removed at once may be. */
export interface Filling {
  /** How many doses. */
  doses: number;
  /** The time of the next dose, which is to be taken from the bottle again; of the last ones, when that is over. */
  until: Date;
}

/**
 * For which of the doses after their removal pills suffice that are beyond the plan; undefined if there is none, or if a
 * part of one is left over: nobody fills a box with half a dose.
 */
export function fillingOf({ versions, periods }: Prescribed, time: Date, pills: number): Filling | undefined {
  const to = new Date(time.getTime() + LONGEST_MS);
  const slots = slotsBetween(versions, periods, new Date(time.getTime() + 1), to);
  let left = pills;
  let doses = 0;
  for (const slot of slots) {
    if (left === 0) return { doses, until: slot.scheduled_at };
    if (slot.pills > left) return undefined;
    left -= slot.pills;
    doses += 1;
  }
  const last = slots.at(-1);
  return left === 0 && last ? { doses, until: last.missed_at } : undefined;
}
