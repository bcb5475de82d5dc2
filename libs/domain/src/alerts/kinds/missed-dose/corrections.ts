import { settledBy } from '../../../attestations/attestation.js';
import type { StatedDose } from '../../../attestations/removed-for-later.js';
import { isTaken, type SlotJudgement } from '../../../doses/judge.js';
import type { Alert } from '../../alert.js';
import type { AlertEnd, AlertToEnd } from '../../findings.js';
import { isMonitoredAgain, statementIn } from './evidence.js';
import { doseOf, endWith, evidenceOf, reportOf, type Reports, statementEnd } from './missed-dose.js';

type MissedDose = Alert<'missed_dose'>;

/**
 * How what people say corrects the end of an alert: the dose, which was late, missed, partial or unknown, is reported
 * taken or skipped, or no longer is.
 *
 * @param dose as it is judged now; undefined if no check looks at it any more
 */
export function correctedByStatement(
  alert: MissedDose,
  dose: SlotJudgement | undefined,
  reports: Reports,
  now: Date,
): AlertToEnd<'missed_dose'> | undefined {
  const report = reportOf(alert, reports);
  const outcome = dose?.outcome ?? alert.evidence.outcome;
  const isBack = wasNotMonitored(alert) && dose !== undefined && dose.outcome !== 'not_monitored';
  if (!report || (alert.state !== 'resolved' && !isBack) || (outcome && isTaken(outcome))) return undefined;
  const before = statementIn(alert.evidence)?.settled;
  const settled = settledBy(report);
  if (settled) {
    const end = statementEnd(report, settled, now);
    const evidence = { ...(isBack && { ...evidenceOf(dose), outcome: dose.outcome }), ...end.evidence };
    return settled === before ? undefined : { alert, end: { ...end, evidence } };
  }
  if (before === undefined || before === 'withdrawn') return undefined;
  const end = statementEnd(report, 'withdrawn', now, before);
  // who was sent the part was not sent that it has grown since
  const hasGrown = isOtherPart(alert, dose);
  return {
    alert,
    end: {
      ...end,
      ...(hasGrown && { owed: 'corrected' as const }),
      evidence: {
        // what was stored of the dose does not say when the last of it was taken
        ...(hasGrown && { part_taken_at: undefined }),
        ...(dose?.outcome && evidenceOf(dose)),
        ...end.evidence,
      },
    },
  };
}

/**
 * How late data corrects the end of an alert: the dose was neither missed nor late, or more or less of it was taken than
 * was known; or a period was entered, changed or removed (PERIOD-2, PLAN-8), or an opening was late.
 *
 * @param judgedAgainFrom from when on that changes doses
 */
export function correctedEnd(
  alert: MissedDose,
  doses: readonly StatedDose[],
  now: Date,
  judgedAgainFrom?: Date,
): AlertToEnd<'missed_dose'> | undefined {
  const dose = doseOf(alert, doses);
  const before = alert.evidence.outcome;
  // the period without monitoring was changed or removed
  if (wasNotMonitored(alert) && dose?.phase === 'late') return { alert, end: lateAfterAll(dose, now) };
  if (!dose?.outcome) return undefined;
  if (wasNotMonitored(alert))
    return dose.outcome === before ? undefined : monitoredAfterAll(alert, dose, now);
  if (alert.state !== 'resolved') return undefined;
  if (isMonitoredAgain(alert.evidence)) return { alert, end: endWith(dose, now) };
  const retracted = { ...endWith(dose, now), state: 'retracted', owed: 'retracted' } as const;
  const isAgain =
    alert.evidence.period !== undefined || (judgedAgainFrom && judgedAgainFrom <= dose.slot.missed_at);
  switch (statementIn(alert.evidence)?.settled) {
    case 'taken':
      return undefined;
    case 'skipped':
      return isTaken(dose.outcome) ? { alert, end: retracted } : undefined;
    case 'withdrawn':
      if (before === undefined) return { alert, end: endWith(dose, now) };
  }
  switch (dose.outcome) {
    case 'taken_early':
    case 'taken_on_time':
      return { alert, end: retracted };
    case 'taken_late':
      if (before === 'missed' || before === 'partial') return { alert, end: retracted };
      return before === 'unknown' ? { alert, end: endWith(dose, now) } : undefined;
    case 'partial':
      return before === 'unknown' && isAgain
        ? { alert, end: judgedAgain(dose, now) }
        : partFound(alert, dose, now);
    case 'missed':
      if (before !== 'taken_late' && before !== 'partial' && before !== 'unknown') return undefined;
      if (isAgain) return { alert, end: judgedAgain(dose, now) };
      if (dose.for_later_by !== undefined) return { alert, end: endWith(dose, now) };
      // its pills were put back
      return before === 'unknown' ? undefined : { alert, end: judgedAgain(dose, now) };
    case 'unknown':
      return before === 'missed' || before === 'partial' ? { alert, end: judgedAgain(dose, now) } : undefined;
    case 'not_monitored':
      return { alert, end: endWith(dose, now) };
  }
}

/** Whether an alert was retracted because its dose was in a period without monitoring. */
const wasNotMonitored = ({ state, evidence }: MissedDose): boolean =>
  state === 'retracted' && evidence.outcome === 'not_monitored';

/** The end of an alert that was retracted because its dose was not monitored; nothing is owed if it was taken in time. */
function monitoredAfterAll(alert: MissedDose, dose: StatedDose, now: Date): AlertToEnd<'missed_dose'> {
  const { owed, ...end } = endWith(dose, now);
  return { alert, end: { ...end, ...(owed !== 'retracted' && owed && { owed }) } };
}

/** The same while the dose, which was late before, can still be taken: it is not, by what is known (PERIOD-3). */
function lateAfterAll(dose: StatedDose, now: Date): AlertEnd<'missed_dose'> {
  return {
    state: 'resolved',
    at: now,
    by: 'notifier',
    note: 'monitored again',
    owed: 'monitored_again',
    evidence: { ...evidenceOf(dose), outcome: undefined },
  };
}

/** The end by which a dose is known or missed, or is not known any more, by a change of periods: each is another message. */
function judgedAgain(dose: StatedDose, now: Date): AlertEnd<'missed_dose'> {
  const end = endWith(dose, now);
  return { ...end, evidence: { ...end.evidence, period: dose.period, judged_again_at: now } };
}

/** The correction of an alert whose dose turned out to be taken in part, or to a larger part. */
function partFound(alert: MissedDose, dose: SlotJudgement, now: Date): AlertToEnd<'missed_dose'> | undefined {
  const end = endWith(dose, now);
  switch (alert.evidence.outcome) {
    case 'unknown':
      return { alert, end };
    case 'partial':
      return isOtherPart(alert, dose) ? { alert, end: { ...end, owed: 'corrected' } } : undefined;
    case 'missed':
    case 'taken_late':
      return { alert, end: { ...end, owed: 'corrected' } };
    default:
      return undefined;
  }
}

/** Whether a dose that ended partial proved to be taken to another part. */
function isOtherPart({ evidence }: MissedDose, dose: SlotJudgement | undefined): boolean {
  return (
    dose?.outcome === 'partial' && evidence.outcome === 'partial' && evidence.pills_taken !== dose.pills_taken
  );
}
