import type { BottleState } from './bottle-state.js';

/**
 * How far something has come that a check found and a report ends: there is nothing, it lasts, or a report has come
 * since and the check is to end it. Two markers of the state say so together: one that checks set and clear, and one that
 * reports change (see {@link BottleState}).
 */
export type Phase = 'none' | 'lasting' | 'over';

/** The silence that the alert `bottle_silent` is open for. */
export function silencePhase({ silent, silent_at }: Pick<BottleState, 'silent' | 'silent_at'>): Phase {
  return phase(silent, silent_at === undefined);
}

/** The opening that the alert `bottle_open` is open for. */
export function openingPhase({
  open_alerted,
  open_unchanged,
}: Pick<BottleState, 'open_alerted' | 'open_unchanged'>): Phase {
  return phase(open_alerted, open_unchanged);
}

/** The wait of a dose that cannot be judged before the bottle reports. */
export function doseWaitPhase({
  dose_waiting,
  unheard,
}: Pick<BottleState, 'dose_waiting' | 'unheard'>): Phase {
  return phase(dose_waiting, unheard);
}

function phase(isFound: boolean | undefined, lasts: boolean | undefined): Phase {
  if (!isFound) return 'none';
  return lasts ? 'lasting' : 'over';
}
