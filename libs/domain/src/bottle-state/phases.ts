import type { BottleState } from './bottle-state.js';

/**
 * How far something has come that a check found and a report ends: it lasts, or a report has come since and the check is
 * to end it. Absent: there is nothing.
 */
export type Phase = 'lasting' | 'over';

/** The silence that the alert `bottle_silent` is open for. */
export function silencePhase({
  silent,
  silent_at,
}: Pick<BottleState, 'silent' | 'silent_at'>): Phase | undefined {
  return phase(silent, silent_at === undefined);
}

/** The opening that the alert `bottle_open` is open for. */
export function openingPhase({
  open_alerted,
  open_unchanged,
}: Pick<BottleState, 'open_alerted' | 'open_unchanged'>): Phase | undefined {
  return phase(open_alerted, open_unchanged);
}

function phase(isFound: boolean | undefined, lasts: boolean | undefined): Phase | undefined {
  if (!isFound) return undefined;
  return lasts ? 'lasting' : 'over';
}
