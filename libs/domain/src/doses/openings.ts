import type { Removal } from './match.js';
import { DAY_MS } from '../time/durations.js';
import type { Slot } from './slots.js';

/** An opening longer before the first window is not looked for. Milliseconds. */
export const OPENING_SEARCH_MS = DAY_MS;

/** Whether pills were removed when no slot's window was open: then it matters when the bottle was opened. */
export function isOutsideWindows(
  slots: readonly Slot[],
  removals: readonly Pick<Removal, 'time'>[],
): boolean {
  return removals.some(
    ({ time }) => !slots.some(({ early_from, missed_at }) => early_from <= time && time <= missed_at),
  );
}

/** Adds to each removal when the bottle was opened for it: the last opening since the closing before. */
export function withOpenings(
  removals: readonly Removal[],
  actions: readonly { time: Date; action: 'opened' | 'closed' }[],
): Removal[] {
  return removals.map((removal) => {
    const before = actions
      .filter(({ time, action }) => time < removal.time || (action === 'opened' && +time === +removal.time))
      .sort((one, other) => one.time.getTime() - other.time.getTime())
      .at(-1);
    return before?.action === 'opened' ? { ...removal, opened_at: before.time } : removal;
  });
}
