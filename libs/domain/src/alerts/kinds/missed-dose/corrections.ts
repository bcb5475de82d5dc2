import { settledBy } from '../../../attestations/attestation.js';
import type { StatedDose } from '../../../attestations/removed-for-later.js';
import { isTaken, type SlotJudgement } from '../../../doses/judge.js';
import type { Alert } from '../../alert.js';
import type { AlertEnd, AlertToEnd } from '../../findings.js';
import { isLateAgain, isMonitoredAgain, statementIn } from './evidence.js';
import {
  asJudged,
  doseOf,
  endWith,
  evidenceOf,
  reportOf,
  type Reports,
  statementEnd,
  takenSoFar,
} from './missed-dose.js';

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
  const outcome = dose ? dose.outcome : alert.evidence.outcome;
  const isBack =
    dose !== undefined && ((wasNotMonitored(alert) && outcome !== 'not_monitored') || wasTaken(alert));
  if (!report || (alert.state !== 'resolved' && !isBack) || (outcome && isTaken(outcome))) return undefined;
  const before = statementIn(alert.evidence)?.settled;
  const settled = settledBy(report);
  if (settled) {
    const end = statementEnd(report, settled, now);
    // what was known when it ended stays, so that it is known what people were sent
    const part = alert.evidence.outcome === undefined && dose && takenSoFar(dose);
    const judged = isBack ? { ...asJudged(dose), judged_again_at: now } : part;
    const evidence = { ...judged, ...end.evidence };
    return settled === before && !isBack ? undefined : { alert, end: { ...end, evidence } };
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
        ...(dose?.phase === 'late' && asJudged(dose)),
        ...end.evidence,
      },
    },
  };
}

/**
 * How late data corrects the end of an alert: the dose was neither missed nor late, or more or less of it was taken than
 * was known; or a period was entered, changed or removed (PERIOD-2, PLAN-8), or an opening was late.
 */
export function correctedEnd(
  alert: MissedDose,
  doses: readonly StatedDose[],
  now: Date,
): AlertToEnd<'missed_dose'> | undefined {
  const dose = doseOf(alert, doses);
  const before = alert.evidence.outcome;
  if (dose?.phase === 'late') return lateAfterAll(alert, dose, now);
  if (!dose?.outcome) return undefined;
  if (wasNotMonitored(alert))
    return dose.outcome === before ? undefined : monitoredAfterAll(alert, dose, now);
  if (alert.state !== 'resolved' && (!wasTaken(alert) || isTaken(dose.outcome))) return undefined;
  const retracted = { ...endWith(dose, now), state: 'retracted', owed: 'retracted' } as const;
  switch (statementIn(alert.evidence)?.settled) {
    case 'taken':
      return undefined;
    case 'skipped':
      return isTaken(dose.outcome) ? { alert, end: retracted } : undefined;
    case 'withdrawn':
      if (before === undefined) return { alert, end: endWith(dose, now) };
  }
  if (isMonitoredAgain(alert.evidence) || isLateAgain(alert.evidence))
    return { alert, end: endWith(dose, now) };
  switch (dose.outcome) {
    case 'taken_early':
    case 'taken_on_time':
      return { alert, end: retracted };
    case 'taken_late':
      if (before === 'missed' || before === 'partial') return { alert, end: retracted };
      return before === 'unknown' ? { alert, end: endWith(dose, now) } : undefined;
    case 'partial':
      return before === 'unknown' ? { alert, end: judgedAgain(dose, now) } : partFound(alert, dose, now);
    case 'missed':
    case 'unknown':
      if (before === undefined || before === dose.outcome) return undefined;
      return { alert, end: judgedAgain(dose, now) };
    case 'not_monitored':
      return alert.state === 'resolved' ? { alert, end: endWith(dose, now) } : undefined;
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

/**
 * The end of an alert whose dose can still be taken, and is not, by what is known: a period was changed or removed
 * (PERIOD-3), or the pills that it was taken with, or that left the bottle, were put back or count for another one (DOSE-49).
 */
function lateAfterAll(alert: MissedDose, dose: StatedDose, now: Date): AlertToEnd<'missed_dose'> | undefined {
  const end = { state: 'resolved', at: now, by: 'notifier' } as const;
  if (wasNotMonitored(alert)) {
    const evidence = asJudged(dose);
    return { alert, end: { ...end, note: 'monitored again', owed: 'monitored_again', evidence } };
  }
  const wasUnknown = alert.state === 'resolved' && alert.evidence.outcome === 'unknown';
  const isSettled = statementIn(alert.evidence)?.settled ?? 'withdrawn';
  // what was removed for later is sent when it is missed (ATTEST-14)
  if (!(wasTaken(alert) || wasUnknown) || isSettled !== 'withdrawn' || dose.for_later_by !== undefined)
    return undefined;
  const evidence = { ...asJudged(dose), period: undefined, judged_again_at: now };
  return { alert, end: { ...end, note: 'not taken yet', owed: 'not_taken_yet', evidence } };
}

/** Whether an alert ended with a dose that was taken. */
const wasTaken = ({ open, evidence }: MissedDose): boolean =>
  !open && evidence.outcome !== undefined && isTaken(evidence.outcome);

/** The end by which a dose is known or missed, or is not known any more, by what is known later: each is another message. */
function judgedAgain(dose: StatedDose, now: Date): AlertEnd<'missed_dose'> {
  const end = endWith(dose, now);
  return { ...end, evidence: { ...end.evidence, period: dose.period, judged_again_at: now } };
}

/** The correction of an alert whose dose turned out to be taken in part, or to a larger part. */
function partFound(alert: MissedDose, dose: SlotJudgement, now: Date): AlertToEnd<'missed_dose'> | undefined {
  const end = endWith(dose, now);
  switch (alert.evidence.outcome) {
    case 'partial':
      return isOtherPart(alert, dose) ? { alert, end: { ...end, owed: 'corrected' } } : undefined;
    case undefined:
      return undefined;
    default:
      return { alert, end: { ...end, owed: 'corrected' } };
  }
}

/** Whether a dose that ended partial proved to be taken to another part. */
function isOtherPart({ evidence }: MissedDose, dose: SlotJudgement | undefined): boolean {
  return (
    dose?.outcome === 'partial' && evidence.outcome === 'partial' && evidence.pills_taken !== dose.pills_taken
  );
}
