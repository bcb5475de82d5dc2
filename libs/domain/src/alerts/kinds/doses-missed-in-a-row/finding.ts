import type { Alert } from '../../alert.js';
import type { AlertBottle, AlertToEnd, AlertToRaise } from '../../findings.js';
import { breakOf, endOfRow, type MissedRow, missedRow, type RowDose } from './missed-row.js';

/**
 * Finds a row of missed doses that is long enough (MISSED-1).
 *
 * @param doses as {@link missedRow} takes them
 * @param inARow how many missed doses make a row; 0 is off
 * @param deadlineOf when a dose had to be taken; undefined if it is not known
 */
export function findMissedRow(
  bottle: AlertBottle,
  doses: readonly RowDose[],
  inARow: number,
  deadlineOf: (scheduledAt: Date) => Date | undefined,
): AlertToRaise<'doses_missed_in_a_row'>[] {
  const row = missedRow(doses);
  if (!row || !isLong(row, inARow)) return [];
  const { since, until, count, standsSince } = row;
  return [
    {
      bottle,
      kind: 'doses_missed_in_a_row',
      subject: '',
      // what the row begins with may prove to be taken
      cause: standsSince,
      deadline: deadlineOf(until) ?? until,
      evidence: {
        rule: 'missed_in_a_row',
        in_a_row: inARow,
        doses_missed: count,
        missed_since: since,
        missed_until: until,
      },
    },
  ];
}

const isLong = ({ count }: MissedRow, inARow: number): boolean => inARow > 0 && count >= inARow;

/** How the alert of a row ends. @returns undefined while the row stands */
export function missedRowEnd(
  alert: Alert<'doses_missed_in_a_row'>,
  doses: readonly RowDose[],
  now: Date,
): AlertToEnd<'doses_missed_in_a_row'> | undefined {
  const { missed_since: since, missed_until: until, in_a_row } = alert.evidence;
  const state = endOfRow({ since, until }, in_a_row, doses);
  if (!state) return undefined;
  const ended_with_dose = breakOf(doses);
  const evidence = state === 'resolved' && ended_with_dose ? { ended_with_dose } : {};
  return { alert, end: { state, owed: state, at: now, by: 'notifier', evidence } };
}
