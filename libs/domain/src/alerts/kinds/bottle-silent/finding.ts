import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { PeriodReason } from '../../../doses/periods.js';
import type { Alert } from '../../alert.js';
import { type AlertToEnd, type AlertToRaise, resolvedEnd } from '../../findings.js';
import { hasNeverReported, type SilentAfterEvidence } from './facts.js';

/**
 * The alert of a bottle that has been silent for too long.
 *
 * @param since its last contact
 * @param found.counts_from since when the silence counts, if not since then
 * @param silentAfter milliseconds
 */
export function silenceAlert(
  state: BottleState,
  since: Date,
  silentAfter: number,
  {
    counts_from,
    ...found
  }: { counts_from?: Date | undefined } & Pick<
    SilentAfterEvidence,
    'listened_ms' | 'unconfirmed_doses' | 'plan_of'
  >,
): AlertToRaise<'bottle_silent'> {
  return {
    bottle: state,
    kind: 'bottle_silent',
    subject: '',
    // a silence that a period without monitoring ended is another one
    cause: counts_from ?? since,
    deadline: state.silent_at!,
    evidence: { rule: 'silent_after', silent_after_ms: silentAfter, last_heard_at: since, ...found },
  };
}

/** The bottle is not monitored: whether it reports says nothing. */
export function silenceNotMonitored(
  alert: Alert<'bottle_silent'>,
  not_monitored: PeriodReason,
  now: Date,
): AlertToEnd<'bottle_silent'> {
  return { alert, end: resolvedEnd(now, { evidence: { not_monitored }, note: 'not monitored' }) };
}

/** The bottle reports again, or for the first time. @param at its contact */
export function silenceEnd(alert: Alert<'bottle_silent'>, at: Date, now: Date): AlertToEnd<'bottle_silent'> {
  const evidence = hasNeverReported(alert.evidence) ? { first_heard_at: at } : { heard_again_at: at };
  return { alert, end: resolvedEnd(now, { evidence }), clearSince: at };
}
