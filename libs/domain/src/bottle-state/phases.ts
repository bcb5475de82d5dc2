import type { BottleState } from './bottle-state.js';

/**
 * How far something has come that a check found and a report ends. Absent: there is nothing.
 *
 * - `lasting`: no report has come that could end it.
 * - `over`: one has come, or may have: the check is to look at it.
 */
export type Phase = 'lasting' | 'over';

/** The silence that the alert `bottle_silent` is open for. */
export function silencePhase({
  silent,
  silent_at,
}: Pick<BottleState, 'silent' | 'silent_at'>): Phase | undefined {
  return phase(silent, silent_at === undefined);
}

function phase(isFound: boolean | undefined, lasts: boolean | undefined): Phase | undefined {
  if (!isFound) return undefined;
  return lasts ? 'lasting' : 'over';
}
