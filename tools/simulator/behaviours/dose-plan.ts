import { MINUTE_MS } from '#domain';
import { nextMinute, wallClockTime } from '../../harness/wall-clock.js';
import type { Pace } from './behaviours.js';

/** A prescription in a fleet's own time: as support-api takes it, and as instants. */
export interface DosePlan {
  schedule: {
    kind: 'times_of_day';
    times: string[];
    early_window: string;
    late_after: string;
    missed_after: string;
  };
  /** Epoch milliseconds, in order. */
  slots: number[];
  /** How long before a slot and after it a dose is on time. Real milliseconds. */
  earlyMs: number;
  lateMs: number;
  /** When the plan has run out and the next is to be made. */
  endsAt: number;
  /** The first dose of the next. */
  next: number;
}

const DAY_MINUTES = 1440;
const HOURS_BETWEEN_DOSES = 8;
const MAX_TIMES = 24;
/** Windows shorter than this are lost in the network's delays. */
const SHORTEST_WINDOW_MS = 500;

/** Whole minutes of real time from one dose to the next. */
function minutesBetween(pace: Pace): number {
  return Math.min(DAY_MINUTES, Math.max(1, Math.round(pace.hours(HOURS_BETWEEN_DOSES) / MINUTE_MS)));
}

/**
 * When a bottle's first dose is due: a whole minute, at least half a minute from now.
 *
 * @param phase where within the time between two doses, from 0 to 1: spreads a fleet
 */
export function firstDose(pace: Pace, now: Date, phase: number): number {
  return nextMinute(now, MINUTE_MS / 2) + Math.floor(phase * minutesBetween(pace)) * MINUTE_MS;
}

/**
 * A dose every 8 hours of the fleet's time, as wall-clock minutes of real time: the nearest that a schedule can
 * say. It holds for at most 24 doses or a day, then it is prescribed again.
 *
 * @param first the first dose: a whole minute, epoch milliseconds
 */
export function dosePlan(pace: Pace, first: number, timeZone: string): DosePlan {
  const every = minutesBetween(pace);
  const count = Math.min(MAX_TIMES, Math.floor(DAY_MINUTES / every));
  const slots = Array.from({ length: count }, (_, index) => first + index * every * MINUTE_MS);
  const window = (hours: number): number => Math.max(SHORTEST_WINDOW_MS, Math.round(pace.hours(hours)));
  const [earlyMs, lateMs] = [window(2), window(1)];
  const missedMs = Math.max(window(4), 2 * lateMs);
  return {
    schedule: {
      kind: 'times_of_day',
      times: slots.map((slot) => wallClockTime(slot, timeZone)),
      early_window: `${earlyMs}ms`,
      late_after: `${lateMs}ms`,
      missed_after: `${missedMs}ms`,
    },
    slots,
    earlyMs,
    lateMs,
    endsAt: slots.at(-1)! + missedMs,
    next: first + count * every * MINUTE_MS,
  };
}
