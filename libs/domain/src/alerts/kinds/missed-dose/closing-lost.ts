import type { StatedDose } from '../../../attestations/removed-for-later.js';
import type { AlertBottle, AlertToRaise } from '../../findings.js';
import { CLOSING_LOST } from './evidence.js';
import { type DosesBefore, endWith, lateDoseAlert, NOTIFIED_SINGLY_MS } from './missed-dose.js';

/**
 * Finds doses that cannot be confirmed because a closing was lost, and that were never seen to be late. Their alerts are
 * raised and end at once: nobody was notified before. Of one that ended more than a day ago nobody is.
 */
export function findClosingsLost(
  bottle: AlertBottle,
  doses: readonly StatedDose[],
  { settledUntil, open }: Pick<DosesBefore, 'settledUntil' | 'open'>,
  now: Date,
): AlertToRaise<'missed_dose'>[] {
  return doses
    .filter(({ unreported, slot }) => unreported && slot.scheduled_at >= settledUntil)
    .filter(({ slot }) => now.getTime() - slot.missed_at.getTime() <= NOTIFIED_SINGLY_MS)
    .filter(({ slot }) => !open.some(({ subject }) => subject === slot.scheduled_at.toISOString()))
    .map((dose) => {
      const { evidence, ...found } = lateDoseAlert(bottle, dose);
      return { ...found, evidence: { ...evidence, rule: CLOSING_LOST }, end: endWith(dose, now) };
    });
}
