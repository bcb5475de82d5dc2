import type { SlotJudgement } from '#domain';
import type { Alert, AlertEnd, Bottle } from '#persistence';
import type { AlertToEnd, AlertToRaise } from '../../alerts/alerts.service.js';
import { type JudgedDoses, lateDoses } from '../../doses/dose-judgement.js';

/** Doses that ended longer ago are not notified of one by one, but in one summary for each contact. Milliseconds. */
const NOTIFIED_SINGLY_MS = 24 * 60 * 60_000;

/** Finds doses that are late. */
export function findLateDoses(bottle: Bottle, judged: JudgedDoses): AlertToRaise[] {
  return lateDoses(judged).map((dose) => lateDoseAlert(bottle, dose));
}

/** What is known of a bottle's doses before they are judged again. */
export interface DosesBefore {
  /** Every slot before this had its outcome. */
  settledUntil: Date;
  /** Its open alerts of late doses. */
  open: readonly Alert[];
  /** The times of removals that no judgement has seen. */
  unjudged: readonly Date[];
}

/**
 * Finds doses that ended missed or partial and were never seen to be late, because no notifier ran or the bottle did not
 * report. Their alerts are raised and end at once. An alert that was raised for the dose before stays as it is.
 */
export function findEndedUnseen(
  bottle: Bottle,
  judged: JudgedDoses,
  { settledUntil, open, unjudged }: DosesBefore,
  now: Date,
): AlertToRaise[] {
  const isNew = ({ outcome, slot }: SlotJudgement): boolean =>
    slot.scheduled_at >= settledUntil ||
    (outcome === 'partial' && unjudged.some((time) => slot.early_from <= time && time <= slot.missed_at));
  return judged.slots
    .filter(({ outcome }) => outcome === 'missed' || outcome === 'partial')
    .filter(isNew)
    .filter(({ slot }) => !open.some(({ subject }) => subject === slot.scheduled_at.toISOString()))
    .map((dose) => ({ ...lateDoseAlert(bottle, dose), end: endWith(dose, now) }));
}

function lateDoseAlert(bottle: Bottle, { slot, pills_taken, confirmed_by }: SlotJudgement): AlertToRaise {
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
      pills_taken,
      heard_at: confirmed_by,
    },
  };
}

/** Finds how the open alerts of judged doses end: taken late, never late, missed, or unknown. */
export function findEndedDoses(open: readonly Alert[], judged: JudgedDoses, now: Date): AlertToEnd[] {
  return open.flatMap((alert) => {
    const dose = judged.slots.find(({ slot }) => slot.scheduled_at.toISOString() === alert.subject);
    return dose?.phase === 'judged' ? [endOf(alert, dose, now)] : [];
  });
}

function endOf(alert: Alert, dose: SlotJudgement, now: Date): AlertToEnd {
  return { alert, end: endWith(dose, now) };
}

/** The end of an alert whose dose has an outcome. */
function endWith(dose: SlotJudgement, now: Date): AlertEnd {
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
export function correctedEnd(alert: Alert, judged: JudgedDoses, now: Date): AlertToEnd | undefined {
  const dose = judged.slots.find(({ slot }) => slot.scheduled_at.toISOString() === alert.subject);
  if (alert.state !== 'resolved' || !dose?.outcome) return undefined;
  const before = alert.evidence['outcome'];
  const retracted = { ...endWith(dose, now), state: 'retracted', owed: 'retracted' } as const;
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
    case 'unknown':
      return undefined;
  }
}

/** The correction of an alert whose dose turned out to be taken in part, or to a larger part. */
function partFound(alert: Alert, dose: SlotJudgement, now: Date): AlertToEnd | undefined {
  const end = endWith(dose, now);
  switch (alert.evidence['outcome']) {
    case 'unknown':
      return { alert, end };
    case 'partial':
      if (alert.evidence['pills_taken'] === dose.pills_taken) return undefined;
      return { alert, end: { ...end, owed: 'corrected' } };
    case 'missed':
    case 'taken_late':
      return { alert, end: { ...end, owed: 'corrected' } };
    default:
      return undefined;
  }
}

function evidenceOf({ outcome, pills_taken, taken_at, matched }: SlotJudgement): Record<string, unknown> {
  const part_taken_at = outcome === 'partial' ? matched.at(-1)?.time : undefined;
  return { outcome, pills_taken, ...(taken_at && { taken_at }), ...(part_taken_at && { part_taken_at }) };
}
