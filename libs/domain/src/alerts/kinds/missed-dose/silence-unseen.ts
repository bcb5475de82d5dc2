import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import type { SlotJudgement } from '../../../doses/judge.js';
import { wasLateByGrace } from '../../../doses/unconfirmed.js';
import type { Alert } from '../../alert.js';
import type { AlertBottle, AlertToRaise } from '../../findings.js';
import { unconfirmedDosesOf } from '../bottle-silent/silence.js';
import { SILENCE_UNSEEN } from './evidence.js';
import { endWith, lateDoseAlert, NOTIFIED_SINGLY_MS } from './missed-dose.js';

/** What is known of the silences of a bottle whose doses ended unknown. */
export interface KnownSilences {
  /** Every slot before this had its outcome. */
  settledUntil: Date;
  coverage: RecordedCoverage;
  /** A coverage gap that is longer leaves its doses unconfirmed, if they are late by the end of its grace. Milliseconds. */
  longGap: number;
  graceMs: number;
  /** The alerts of the bottle that name doses, and those that are open. */
  silences: readonly Alert[];
}

/**
 * The doses that ended unknown, and that no `bottle_silent` names yet: either a sweep is still to come, or the bottle has
 * reported again before one.
 */
export function unlistedUnknown(
  { last_heard_at }: BottleState,
  doses: readonly SlotJudgement[],
  { settledUntil, coverage, longGap, graceMs, silences }: KnownSilences,
  now: Date,
): SlotJudgement[] {
  if (!last_heard_at) return [];
  return doses.filter(({ outcome, unreported, slot }) => {
    const isNew = outcome === 'unknown' && !unreported && slot.scheduled_at >= settledUntil;
    const isRecent = now.getTime() - slot.missed_at.getTime() <= NOTIFIED_SINGLY_MS;
    const isOfGap = coverage
      .longGaps(slot.scheduled_at, slot.missed_at, longGap)
      .some((gap) => wasLateByGrace(slot, gap, { coverage, graceMs }));
    return isNew && isRecent && !isOfGap && !silences.some((alert) => names(alert, slot.scheduled_at));
  });
}

/** An open silence gets the dose added to those that it names. */
function names(alert: Alert, dose: Date): boolean {
  if (alert.kind === 'bottle_silent' && alert.open) return true;
  return unconfirmedDosesOf(alert).some((each) => each.getTime() === dose.getTime());
}

/** Whether a backlog, or the alert of the silence, may still come. */
export function isUndecided({ back_at, next_look_at }: SlotJudgement): boolean {
  return back_at === undefined || next_look_at !== undefined;
}

/**
 * Finds doses that ended unknown in a silence that was over before a sweep saw it: nobody was notified of it. Their alerts
 * are raised and end at once.
 */
export function findSilenceUnseen(
  bottle: AlertBottle,
  unlisted: readonly SlotJudgement[],
  now: Date,
): AlertToRaise<'missed_dose'>[] {
  return unlisted
    .filter((dose) => !isUndecided(dose))
    .map((dose) => {
      const alert = lateDoseAlert(bottle, dose);
      return {
        ...alert,
        evidence: { ...alert.evidence, rule: SILENCE_UNSEEN, heard_at: dose.back_at },
        end: endWith(dose, now),
      };
    });
}
