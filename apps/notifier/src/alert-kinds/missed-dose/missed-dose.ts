import { isTaken, type SlotJudgement } from '#domain';
import type { Alert, AlertEnd, Bottle } from '#persistence';
import type { AlertToEnd, AlertToRaise } from '../../alerts/alerts.service.js';
import { type JudgedDoses, lateDoses } from '../../doses/dose-judgement.js';

/** A dose that was missed longer ago is history: late data never notifies of the past (xDrip#289). Milliseconds. */
const NOTIFIED_WITHIN_MS = 24 * 60 * 60_000;

/** Finds doses that are late. */
export function findLateDoses(bottle: Bottle, judged: JudgedDoses): AlertToRaise[] {
  return lateDoses(judged).map((dose) => lateDoseAlert(bottle, dose));
}

/**
 * Finds missed doses that were never seen to be late, because no notifier ran or the bottle did not report. Their
 * alerts are raised and end as missed at once.
 */
export function findMissedUnseen(
  bottle: Bottle,
  judged: JudgedDoses,
  { settledUntil, open }: { settledUntil: Date; open: readonly Alert[] },
  now: Date,
): AlertToRaise[] {
  return judged.slots
    .filter(({ outcome, slot }) => outcome === 'missed' && slot.scheduled_at >= settledUntil)
    .filter(({ slot }) => now.getTime() - slot.missed_at.getTime() <= NOTIFIED_WITHIN_MS)
    .filter(({ slot }) => !open.some(({ subject }) => subject === slot.scheduled_at.toISOString()))
    .map((dose) => ({ ...lateDoseAlert(bottle, dose), end: missedEnd(dose, now) }));
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

function missedEnd(dose: SlotJudgement, now: Date): AlertEnd {
  return { at: now, by: 'notifier', evidence: evidenceOf(dose), state: 'resolved', owed: 'missed' };
}

/** Finds how the open alerts of judged doses end: taken late, never late, missed, or unknown. */
export function findEndedDoses(open: readonly Alert[], judged: JudgedDoses, now: Date): AlertToEnd[] {
  return open.flatMap((alert) => {
    const dose = judged.slots.find(({ slot }) => slot.scheduled_at.toISOString() === alert.subject);
    return dose?.phase === 'judged' ? [endOf(alert, dose, now)] : [];
  });
}

function endOf(alert: Alert, dose: SlotJudgement, now: Date): AlertToEnd {
  const end = { at: now, by: 'notifier', evidence: evidenceOf(dose) };
  switch (dose.outcome!) {
    case 'taken_early':
    case 'taken_on_time':
      return { alert, end: { ...end, state: 'retracted', owed: 'retracted' } };
    case 'missed':
      return { alert, end: missedEnd(dose, now) };
    case 'unknown':
      // no notification: the alert `bottle_silent` names the dose
      return { alert, end: { ...end, state: 'resolved', note: 'cannot be confirmed' } };
    case 'taken_late':
    case 'partial':
      return { alert, end: { ...end, state: 'resolved', owed: 'resolved' } };
  }
}

/**
 * How late data corrects the end of an alert: the dose was neither missed nor late, or a dose with an unknown outcome
 * was taken late.
 */
export function correctedEnd(alert: Alert, judged: JudgedDoses, now: Date): AlertToEnd | undefined {
  const dose = judged.slots.find(({ slot }) => slot.scheduled_at.toISOString() === alert.subject);
  if (alert.state !== 'resolved' || !dose?.outcome || !isTaken(dose.outcome)) return undefined;
  const end = { at: now, by: 'notifier', evidence: evidenceOf(dose) };
  const before = alert.evidence['outcome'];
  if (before === 'missed' || dose.outcome !== 'taken_late')
    return { alert, end: { ...end, state: 'retracted', owed: 'retracted' } };
  return before === 'unknown' ? { alert, end: { ...end, state: 'resolved', owed: 'resolved' } } : undefined;
}

function evidenceOf({ outcome, pills_taken, taken_at }: SlotJudgement): Record<string, unknown> {
  return { outcome, pills_taken, ...(taken_at ? { taken_at } : {}) };
}
