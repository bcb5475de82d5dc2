import type { StatedDose } from '../../../attestations/removed-for-later.js';
import { isTaken } from '../../../doses/judge.js';
import type { AlertBottle, AlertToRaise } from '../../findings.js';
import {
  type DosesBefore,
  lateDoseAlert,
  NOTIFIED_SINGLY_MS,
  type Reports,
  statementEnd,
} from './missed-dose.js';

/**
 * Finds doses of which somebody stated that they are skipped because no pills are left, and that have no open alert: they
 * are not late yet, or nobody could know what became of them. Their alerts are raised and end at once, as somebody has to
 * bring pills (ATTEST-17). An alert that was raised for the dose before stays as it is.
 */
export function findRanOut(
  bottle: AlertBottle,
  doses: readonly StatedDose[],
  reports: Reports,
  { attested, open }: Pick<DosesBefore, 'attested' | 'open'>,
  now: Date,
): AlertToRaise<'missed_dose'>[] {
  return doses.flatMap((dose) => {
    const { outcome, slot } = dose;
    const report = reports.get(slot.scheduled_at.getTime());
    const isNew = attested.some((each) => each.getTime() === slot.scheduled_at.getTime());
    const isOpen = open.some(({ subject }) => subject === slot.scheduled_at.toISOString());
    const isLongAgo = now.getTime() - slot.missed_at.getTime() > NOTIFIED_SINGLY_MS;
    if (!isNew || isOpen || isLongAgo || report?.latest?.outcome !== 'skipped') return [];
    if (report.latest.reason !== 'ran_out' || outcome === 'not_monitored' || (outcome && isTaken(outcome)))
      return [];
    return [{ ...lateDoseAlert(bottle, dose), end: statementEnd(report, 'skipped', now) }];
  });
}
