/** Who takes the dose of a morning when: an hour of breakfast around eight, with the late ones an hour after it. */

import { MINUTE_MS } from '#domain';
import { Random } from '../../random.js';

/** So much faster than a real morning: an hour is four minutes. */
export const FASTER = 15;

/** A minute of the morning, in milliseconds of the run. */
export const MINUTE = MINUTE_MS / FASTER;

const windowOf = (minutes: number): string => `${minutes / FASTER}m`;

/** Of 20 plans so many are for this time, in minutes from eight; the others lie around eight like a bell. */
const PLANS = [
  { at: -30, of20: 4 },
  { at: 0, of20: 7 },
  { at: 30, of20: 4 },
] as const;
const BELL = { deviation: 15, furthest: 30, step: 5 };
/** Of 100 people so many take their dose after it is late, and so many never. */
const LATE = 6;
const NEVER = 4;
/** Minutes by which the others are late, or early if less than 0. */
const OFTEN = { middle: 1, deviation: 4, earliest: -12, latest: 25 };
const LATE_BY = { least: 75, most: 90 };

/** The first opening and the last. Minutes from eight. */
export const FIRST = OFTEN.earliest - BELL.furthest;
export const LAST = BELL.furthest + LATE_BY.most;
/** From then on a dose that was not taken is late, as one hour after its time; when the last of the morning is. */
export const LATE_AFTER = 60;
export const LAST_LATE = BELL.furthest + LATE_AFTER;

/** The plan's windows, so much faster. */
export const WINDOWS = {
  early_window: windowOf(120),
  late_after: windowOf(LATE_AFTER),
  missed_after: windowOf(240),
};

export type Fate = 'in time' | 'late' | 'never';

/** One person's dose. Minutes from eight. */
export interface Dose {
  due: number;
  fate: Fate;
  /** When the bottle is opened; of one that is never taken, undefined. */
  opened?: number;
}

/** The n-th bottle's dose, always the same. */
export function doseOf(n: number): Dose {
  const random = new Random('breakfast', n);
  const due = plannedAt(random);
  const percent = random.between(0, 100);
  if (percent < NEVER) return { due, fate: 'never' };
  if (percent < NEVER + LATE) {
    const opened = due + random.between(LATE_BY.least, LATE_BY.most);
    return { due, fate: 'late', opened };
  }
  const { middle, deviation, earliest, latest } = OFTEN;
  const opened = due + clamp(middle + deviation * random.normal(), earliest, latest);
  return { due, fate: 'in time', opened };
}

function plannedAt(random: Random): number {
  let place = random.between(0, 20);
  for (const { at, of20 } of PLANS) {
    if (place < of20) return at;
    place -= of20;
  }
  const { deviation, furthest, step } = BELL;
  return step * Math.round(clamp(deviation * random.normal(), -furthest, furthest) / step);
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
