import { DAY, HOUR, MINUTE, SECOND } from '../time/units.js';

/** What a point of a chart may stand for, from fine to coarse; a day and a week are those of a calendar. Milliseconds. */
export const STEPS = {
  '1s': SECOND,
  '10s': 10 * SECOND,
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '3h': 3 * HOUR,
  '6h': 6 * HOUR,
  '1d': DAY,
  '7d': 7 * DAY,
} as const;
export type Step = keyof typeof STEPS;

/** More points than this no chart shows. */
export const MOST_POINTS = 500;
/** More documents than this no chart reads, whatever the fleet's size. */
export const MOST_DOCUMENTS = 48;

/** The chart that was asked for cannot be: the step is too fine for the range. */
export class TooManyPointsError extends Error {
  override readonly name = 'TooManyPointsError';
}
