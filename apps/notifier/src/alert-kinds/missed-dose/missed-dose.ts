import {
  attestorText,
  DAY_MS,
  isTaken,
  type Reported,
  type SettledAs,
  settledBy,
  type SlotJudgement,
  type StatedDose,
  type StatementEvidence,
  statementIn,
} from '#domain';
import type { Alert, AlertEnd, AttestationEntry, Bottle, BottleState, PartTaken } from '#persistence';
import type { AlertToEnd, AlertToRaise } from '../../alerts/findings.js';
import { lateDoses } from '../../doses/dose-judgement.js';

/** Doses that ended longer ago are not notified of one by one, but in one summary for each contact. Milliseconds. */
export const NOTIFIED_SINGLY_MS = DAY_MS;

/** What people say of doses, by the epoch milliseconds of their slots. */
export type Reports = ReadonlyMap<number, Reported<AttestationEntry>>;

/** The doses that people's statements do not settle. */
export function unsettled<D extends Pick<SlotJudgement, 'slot'>>(doses: readonly D[], reports: Reports): D[] {
  return doses.filter(({ slot }) => settledBy(reports.get(slot.scheduled_at.getTime())) === undefined);
}

/** Since when a bottle is left open; undefined while it is closed. */
export function openSince({ open, last_action }: BottleState): Date | undefined {
  return open && last_action?.time;
}

/**
 * Finds doses that are late.
 *
 * @param opened since when the bottle is left open: its pill may have been taken
 */
export function findLateDoses(
  bottle: Bottle,
  doses: readonly StatedDose[],
  opened: Date | undefined,
): AlertToRaise[] {
  return lateDoses(doses).map((dose) => {
    const alert = lateDoseAlert(bottle, dose);
    return { ...alert, evidence: { ...alert.evidence, ...(opened && { open_since: opened }) } };
  });
}

/** What is known of a bottle's doses before they are judged again. */
export interface DosesBefore {
  /** Every slot before this had its outcome. */
  settledUntil: Date;
  /** Its open alerts of late doses. */
  open: readonly Alert[];
  /** The times of removals that no judgement has seen. */
  unjudged: readonly Date[];
  /** Slots about which somebody stated or withdrew something since. */
  attested: readonly Date[];
}

/**
 * Finds doses that ended missed or partial and were never seen to be late, because no notifier ran or the bottle did not
 * report. Their alerts are raised and end at once. An alert that was raised for the dose before stays as it is.
 */
export function findEndedUnseen(
  bottle: Bottle,
  doses: readonly StatedDose[],
  { settledUntil, open, unjudged, attested }: DosesBefore,
  now: Date,
): AlertToRaise[] {
  const isNew = ({ outcome, slot }: SlotJudgement): boolean =>
    slot.scheduled_at >= settledUntil ||
    attested.some((each) => each.getTime() === slot.scheduled_at.getTime()) ||
    (outcome === 'partial' && unjudged.some((time) => slot.early_from <= time && time <= slot.missed_at));
  return doses
    .filter(({ outcome }) => outcome === 'missed' || outcome === 'partial')
    .filter(isNew)
    .filter(({ slot }) => !open.some(({ subject }) => subject === slot.scheduled_at.toISOString()))
    .map((dose) => ({ ...lateDoseAlert(bottle, dose), end: endWith(dose, now) }));
}

/** The alert of a dose that was not taken in time. */
export function lateDoseAlert(bottle: Bottle, dose: StatedDose): AlertToRaise {
  const { slot, confirmed_by, for_later_by } = dose;
  return {
    bottle,
    kind: 'missed_dose',
    subject: slot.scheduled_at.toISOString(),
    cause: slot.scheduled_at,
    deadline: slot.late_at,
    evidence: {
      rule: 'late_after',
      scheduled_at: slot.scheduled_at,
      late_at: slot.late_at,
      missed_at: slot.missed_at,
      pills_scheduled: slot.pills,
      ...partOf(dose),
      ...(confirmed_by && { heard_at: confirmed_by }),
      ...(for_later_by !== undefined && { for_later_by }),
    },
  };
}

/** Finds open alerts of doses of which more, or less, is taken than they say: their reminders have to say what is. */
export function findChangedParts(
  open: readonly Alert[],
  doses: readonly SlotJudgement[],
): { alert: Alert; part: PartTaken }[] {
  return open.flatMap((alert) => {
    const dose = doseOf(alert, doses);
    if (!dose || dose.outcome || dose.pills_taken === alert.evidence['pills_taken']) return [];
    return [{ alert, part: partOf(dose) }];
  });
}

/**
 * Finds how the open alerts of doses end: taken late or never late, as people say, missed, or unknown.
 */
export function findEndedDoses(
  open: readonly Alert[],
  doses: readonly SlotJudgement[],
  reports: Reports,
  now: Date,
  opened: Date | undefined,
): AlertToEnd[] {
  return open.flatMap((alert) => {
    const dose = doseOf(alert, doses);
    if (dose?.outcome && isTaken(dose.outcome)) return [endOf(alert, dose, now)];
    const report = reportOf(alert, reports);
    const settled = settledBy(report);
    if (settled) return [{ alert, end: statementEnd(report!, settled, now) }];
    if (dose?.phase !== 'judged') return [];
    const { end } = endOf(alert, dose, now);
    const leftOpen = opened && opened <= dose.slot.missed_at && { open_at_end_since: opened };
    return [{ alert, end: { ...end, evidence: { ...end.evidence, ...leftOpen } } }];
  });
}

const doseOf = ({ subject }: Alert, doses: readonly StatedDose[]): StatedDose | undefined =>
  doses.find(({ slot }) => slot.scheduled_at.toISOString() === subject);

const reportOf = ({ subject }: Alert, reports: Reports): Reported<AttestationEntry> | undefined =>
  reports.get(Date.parse(subject));

/** The end of an alert by what people say, or by its withdrawal. */
function statementEnd(
  { latest, last }: Reported<AttestationEntry>,
  settled: SettledAs,
  now: Date,
  was?: StatementEvidence['was'],
): AlertEnd {
  const { taken_at, reason } = latest ?? {};
  const entry = (settled !== 'withdrawn' && latest) || last;
  const reported: StatementEvidence = {
    settled,
    by: attestorText(entry),
    at: entry.at,
    entry: last._id.toHexString(),
    ...(was && { was }),
    ...(settled === 'taken' && taken_at && { taken_at }),
    ...(settled === 'skipped' && reason && { reason }),
  };
  const owed = settled === 'withdrawn' ? 'statement_withdrawn' : (`reported_${settled}` as const);
  const note = settled === 'withdrawn' ? 'statement withdrawn' : `reported ${settled}`;
  return { state: 'resolved', at: now, by: entry.recorded_by, note, owed, evidence: { reported } };
}

/**
 * How what people say corrects the end of an alert: the dose, which was late, missed, partial or unknown, is reported
 * taken or skipped, or no longer is.
 *
 * @param dose as it is judged now; undefined if no check looks at it any more
 */
export function correctedByStatement(
  alert: Alert,
  dose: SlotJudgement | undefined,
  reports: Reports,
  now: Date,
): AlertToEnd | undefined {
  const report = reportOf(alert, reports);
  const outcome = dose?.outcome ?? (alert.evidence['outcome'] as SlotJudgement['outcome']);
  if (!report || alert.state !== 'resolved' || (outcome && isTaken(outcome))) return undefined;
  const before = statementIn(alert.evidence)?.settled;
  const settled = settledBy(report);
  if (settled) return settled === before ? undefined : { alert, end: statementEnd(report, settled, now) };
  if (before === undefined || before === 'withdrawn') return undefined;
  const end = statementEnd(report, 'withdrawn', now, before);
  // who was sent the part was not sent that it has grown since
  const hasGrown = isOtherPart(alert, dose);
  return {
    alert,
    end: {
      ...end,
      ...(hasGrown && { owed: 'corrected' as const }),
      evidence: { ...(dose?.outcome && evidenceOf(dose)), ...end.evidence },
    },
  };
}

function endOf(alert: Alert, dose: SlotJudgement, now: Date): AlertToEnd {
  return { alert, end: endWith(dose, now) };
}

/** The end of an alert whose dose has an outcome. */
export function endWith(dose: StatedDose, now: Date): AlertEnd {
  const end = { at: now, by: 'notifier', evidence: evidenceOf(dose) };
  switch (dose.outcome!) {
    case 'taken_early':
    case 'taken_on_time':
      return { ...end, state: 'retracted', owed: 'retracted' };
    case 'taken_late':
      return { ...end, state: 'resolved', owed: 'resolved' };
    case 'missed':
    case 'partial': {
      const isLongAgo = now.getTime() - dose.slot.missed_at.getTime() > NOTIFIED_SINGLY_MS;
      return { ...end, state: 'resolved', owed: isLongAgo ? 'summary' : dose.outcome };
    }
    case 'unknown':
      return { ...end, state: 'resolved', owed: 'unknown', note: 'cannot be confirmed' };
  }
}

/**
 * How late data corrects the end of an alert: the dose was neither missed nor late, or more or less of it was taken than
 * was known.
 */
export function correctedEnd(alert: Alert, doses: readonly StatedDose[], now: Date): AlertToEnd | undefined {
  const dose = doseOf(alert, doses);
  if (alert.state !== 'resolved' || !dose?.outcome) return undefined;
  const before = alert.evidence['outcome'];
  const retracted = { ...endWith(dose, now), state: 'retracted', owed: 'retracted' } as const;
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
      return partFound(alert, dose, now);
    case 'missed':
      return dose.for_later_by !== undefined && before === 'taken_late'
        ? { alert, end: notTakenAfterAll(dose, now) }
        : undefined;
    case 'unknown':
      return undefined;
  }
}

/** The end of an alert whose dose, which was taken late, was removed for later. */
function notTakenAfterAll(dose: StatedDose, now: Date): AlertEnd {
  const end = endWith(dose, now);
  return { ...end, evidence: { ...end.evidence, taken_at: undefined } };
}

/** The correction of an alert whose dose turned out to be taken in part, or to a larger part. */
function partFound(alert: Alert, dose: SlotJudgement, now: Date): AlertToEnd | undefined {
  const end = endWith(dose, now);
  switch (alert.evidence['outcome']) {
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
function isOtherPart({ evidence }: Alert, dose: SlotJudgement | undefined): boolean {
  return (
    dose?.outcome === 'partial' &&
    evidence['outcome'] === 'partial' &&
    evidence['pills_taken'] !== dose.pills_taken
  );
}

function evidenceOf(dose: StatedDose): Record<string, unknown> {
  const { outcome, taken_at, for_later_by, unreported } = dose;
  return {
    outcome,
    ...partOf(dose),
    ...(unreported && {
      unreported_pills: unreported.pills,
      unreported_from: unreported.from,
      unreported_until: unreported.until,
    }),
    ...(taken_at && { taken_at }),
    ...(for_later_by !== undefined && { for_later_by }),
  };
}

/** What was taken of a dose, and when the last of it if it is not whole. */
function partOf({ pills_taken, taken_at, matched }: SlotJudgement): PartTaken {
  const part_taken_at = taken_at ? undefined : matched.at(-1)?.time;
  return { pills_taken, ...(part_taken_at && { part_taken_at }) };
}
