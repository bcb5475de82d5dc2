import { attestorText, type Reported, type SettledAs, settledBy } from '../../../attestations/attestation.js';
import type { StatedDose } from '../../../attestations/removed-for-later.js';
import type { BottleState } from '../../../bottle-state/bottle-state.js';
import { isTaken, type SlotJudgement } from '../../../doses/judge.js';
import { DAY_MS } from '../../../time/durations.js';
import type { Alert } from '../../alert.js';
import type { AlertBottle, AlertEnd, AlertToEnd, AlertToRaise, Learned } from '../../findings.js';
import { unreportedIn } from '../../closing-lost.js';
import type { MissedDoseEvidence, StatementEvidence } from './evidence.js';

type MissedDose = Alert<'missed_dose'>;

/** Doses that ended longer ago are not notified of one by one, but in one summary for each contact. Milliseconds. */
export const NOTIFIED_SINGLY_MS = DAY_MS;

/** What people say of doses, by the epoch milliseconds of their slots. */
export type Reports = ReadonlyMap<number, Reported>;

/** What was taken of a dose. */
export type PartTaken = Pick<MissedDoseEvidence, 'pills_taken' | 'part_taken_at'>;

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
  bottle: AlertBottle,
  doses: readonly StatedDose[],
  opened: Date | undefined,
): AlertToRaise<'missed_dose'>[] {
  return doses
    .filter(({ phase }) => phase === 'late')
    .map((dose) => {
      const alert = lateDoseAlert(bottle, dose);
      return { ...alert, evidence: { ...alert.evidence, ...(opened && { open_since: opened }) } };
    });
}

/** What is known of a bottle's doses before they are judged again. */
export interface DosesBefore {
  /** Every slot before this had its outcome. */
  settledUntil: Date;
  /** Its open alerts of late doses. */
  open: readonly MissedDose[];
  /** The times of removals that no judgement has seen. */
  unjudged: readonly Date[];
  /** Slots about which somebody stated or withdrew something since. */
  attested: readonly Date[];
  /** Slots that were taken, as is on record, and are not any more. */
  untaken: readonly Date[];
  /** Slots that are not over by then are judged again, because a period without monitoring changed, or an opening was late. */
  judgedAgainFrom?: Date | undefined;
}

/**
 * Finds doses that ended missed or partial and were never seen to be late, because no notifier ran or the bottle did not
 * report. Their alerts are raised and end at once. An alert that was raised for the dose before stays as it is.
 */
export function findEndedUnseen(
  bottle: AlertBottle,
  doses: readonly StatedDose[],
  { settledUntil, open, unjudged, attested, untaken, judgedAgainFrom }: DosesBefore,
  now: Date,
): AlertToRaise<'missed_dose'>[] {
  const isUnjudged = (time: Date | undefined): boolean => unjudged.some((each) => +each === time?.getTime());
  const isNew = ({ outcome, slot, matched, for_later_by }: StatedDose): boolean | undefined =>
    slot.scheduled_at >= settledUntil ||
    (judgedAgainFrom && slot.missed_at >= judgedAgainFrom) ||
    [...attested, ...untaken].some((each) => each.getTime() === slot.scheduled_at.getTime()) ||
    ((outcome === 'partial' || for_later_by !== undefined) &&
      (unjudged.some((time) => slot.early_from <= time && time <= slot.missed_at) ||
        matched.some(({ closed_at }) => isUnjudged(closed_at))));
  return doses
    .filter(({ outcome }) => outcome === 'missed' || outcome === 'partial')
    .filter(isNew)
    .filter(({ slot }) => !open.some(({ subject }) => subject === slot.scheduled_at.toISOString()))
    .map((dose) => ({ ...lateDoseAlert(bottle, dose), end: endWith(dose, now) }));
}

/** The alert of a dose that was not taken in time. */
export function lateDoseAlert(bottle: AlertBottle, dose: StatedDose): AlertToRaise<'missed_dose'> {
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
export function findChangedParts<A extends Alert<'missed_dose' | 'dose_reminder'>>(
  open: readonly A[],
  doses: readonly SlotJudgement[],
): { alert: A; evidence: Learned<'missed_dose'> }[] {
  return open.flatMap((alert) => {
    const dose = doseOf(alert, doses);
    if (!dose || dose.outcome || dose.pills_taken === alert.evidence.pills_taken) return [];
    return [{ alert, evidence: takenSoFar(dose) }];
  });
}

/**
 * Finds how the open alerts of doses end: taken late or never late, as people say, missed, or unknown.
 */
export function findEndedDoses(
  open: readonly MissedDose[],
  doses: readonly SlotJudgement[],
  reports: Reports,
  now: Date,
  opened: Date | undefined,
): AlertToEnd<'missed_dose'>[] {
  return open.flatMap((alert) => {
    const dose = doseOf(alert, doses);
    if (dose?.outcome && isTaken(dose.outcome)) return [endOf(alert, dose, now)];
    const report = reportOf(alert, reports);
    const settled = settledBy(report);
    if (settled) {
      const end = statementEnd(report!, settled, now);
      return [{ alert, end: { ...end, evidence: { ...(dose && takenSoFar(dose)), ...end.evidence } } }];
    }
    if (dose?.phase !== 'judged') return [];
    const { end } = endOf(alert, dose, now);
    const leftOpen = opened && opened <= dose.slot.missed_at && { open_at_end_since: opened };
    return [{ alert, end: { ...end, evidence: { ...end.evidence, ...leftOpen } } }];
  });
}

export const doseOf = (
  { subject }: Pick<Alert, 'subject'>,
  doses: readonly StatedDose[],
): StatedDose | undefined => doses.find(({ slot }) => slot.scheduled_at.toISOString() === subject);

export const reportOf = ({ subject }: MissedDose, reports: Reports): Reported | undefined =>
  reports.get(Date.parse(subject));

/** The end of an alert by what people say, or by its withdrawal. */
export function statementEnd(
  { latest, last }: Reported,
  settled: SettledAs,
  now: Date,
  was?: StatementEvidence['was'],
): AlertEnd<'missed_dose'> {
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
  // a withdrawal is its own step of the history, also when an earlier statement stands then
  const isUndone = last.kind === 'withdrawn';
  const stated = isUndone ? `statement withdrawn, reported ${settled} before` : `reported ${settled}`;
  const note = settled === 'withdrawn' ? 'statement withdrawn' : stated;
  return { state: 'resolved', at: now, by: last.recorded_by, note, owed, evidence: { reported } };
}

function endOf(alert: MissedDose, dose: SlotJudgement, now: Date): AlertToEnd<'missed_dose'> {
  return { alert, end: endWith(dose, now) };
}

/** The end of an alert whose dose has an outcome. */
export function endWith(dose: StatedDose, now: Date): AlertEnd<'missed_dose'> {
  const end = { at: now, by: 'notifier', evidence: asJudged(dose) };
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
    case 'not_monitored':
      return { ...end, state: 'retracted', owed: 'retracted', note: 'not monitored' };
  }
}

/** What is known of a dose as it is judged, in place of what was known of it before. */
export function asJudged(dose: StatedDose): Learned<'missed_dose'> {
  return {
    taken_at: undefined,
    part_taken_at: undefined,
    for_later_by: undefined,
    unreported_pills: undefined,
    unreported_from: undefined,
    unreported_until: undefined,
    unclear_closing: undefined,
    ...evidenceOf(dose),
  };
}

/** What is known of a dose, as far as its judgement, or its record, says so. */
export function evidenceOf(dose: StatedDose): Learned<'missed_dose'> {
  const { outcome, taken_at, for_later_by, unreported, unclear_closing, period } = dose;
  return {
    outcome,
    ...partOf(dose),
    ...unreportedIn(unreported),
    ...(unclear_closing && { unclear_closing }),
    ...(taken_at && { taken_at }),
    ...(for_later_by !== undefined && { for_later_by }),
    ...(period && { period }),
  };
}

/** What was taken of a dose, in place of what was before. */
export const takenSoFar = (dose: SlotJudgement): Learned<'missed_dose'> => ({
  part_taken_at: undefined,
  ...partOf(dose),
});

/** What was taken of a dose, and when the last of it if it is not whole. */
export function partOf({ pills_taken, taken_at, matched }: SlotJudgement): PartTaken {
  const part_taken_at = taken_at || pills_taken === 0 ? undefined : matched.at(-1)?.time;
  return { pills_taken, ...(part_taken_at && { part_taken_at }) };
}
