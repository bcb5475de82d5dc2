import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { Alert } from '../../alert.js';
import { type AlertToEnd, type AlertToRaise, resolvedEnd } from '../../findings.js';
import { hasNeverReported, type SilentAfterEvidence } from './facts.js';

/**
 * The alert of a bottle that has been silent for too long.
 *
 * @param since its last contact
 * @param silentAfter milliseconds
 */
export function silenceAlert(
  state: BottleState,
  since: Date,
  silentAfter: number,
  found: Required<Pick<SilentAfterEvidence, 'listened_ms' | 'unconfirmed_doses'>>,
): AlertToRaise<'bottle_silent'> {
  return {
    bottle: state,
    kind: 'bottle_silent',
    subject: '',
    cause: since,
    deadline: state.silent_at!,
    evidence: { rule: 'silent_after', silent_after_ms: silentAfter, last_heard_at: since, ...found },
  };
}

/** The bottle reports again, or for the first time. @param at its contact */
export function silenceEnd(alert: Alert<'bottle_silent'>, at: Date, now: Date): AlertToEnd<'bottle_silent'> {
  const evidence = hasNeverReported(alert.evidence) ? { first_heard_at: at } : { heard_again_at: at };
  return { alert, end: resolvedEnd(now, { evidence }), clearSince: at };
}
