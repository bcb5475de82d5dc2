import type { StatedDose } from '../../../attestations/removed-for-later.js';
import type { AlertBottle, AlertToRaise } from '../../findings.js';
import { CLOSING_LOST, UNCLEAR_CLOSING, PLAN_NOT_MONITORED } from './evidence.js';
import { type DosesBefore, endWith, lateDoseAlert, NOTIFIED_SINGLY_MS } from './missed-dose.js';

/**
 * Finds doses that cannot be confirmed though the bottles were in contact, because a closing was lost, nothing shows what was
 * taken out at one, or another bottle of the plan is not monitored, and that were never seen to be late. Their alerts are
 * raised and end at once: nobody was notified before. Of one that ended more than a day ago nobody is.
 */
export function findUnknownUnseen(
  bottle: AlertBottle,
  doses: readonly StatedDose[],
  { settledUntil, open, untaken }: Pick<DosesBefore, 'settledUntil' | 'open' | 'untaken'>,
  now: Date,
): AlertToRaise<'missed_dose'>[] {
  return doses
    .filter(
      ({ slot }) => slot.scheduled_at >= settledUntil || untaken.some((each) => +each === +slot.scheduled_at),
    )
    .filter(({ slot }) => now.getTime() - slot.missed_at.getTime() <= NOTIFIED_SINGLY_MS)
    .filter(({ slot }) => !open.some(({ subject }) => subject === slot.scheduled_at.toISOString()))
    .flatMap((dose) => {
      const rule = ruleOf(dose);
      if (!rule) return [];
      const { evidence, ...found } = lateDoseAlert(bottle, dose);
      return [{ ...found, evidence: { ...evidence, rule }, end: endWith(dose, now) }];
    });
}

function ruleOf({ outcome, unreported, unclear_closing, period }: StatedDose): string | undefined {
  if (unreported) return CLOSING_LOST;
  if (unclear_closing) return UNCLEAR_CLOSING;
  return outcome === 'unknown' && period ? PLAN_NOT_MONITORED : undefined;
}
