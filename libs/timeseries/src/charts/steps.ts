/** What a point of a chart may stand for, from fine to coarse; a day and a week are those of a calendar. Milliseconds. */
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '#domain';
export const STEPS = {
  '1s': SECOND_MS,
  '10s': 10 * SECOND_MS,
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '3h': 3 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '7d': 7 * DAY_MS,
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
