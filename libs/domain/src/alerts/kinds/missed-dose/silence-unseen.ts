import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import { isUnknownInSilence, type SlotJudgement } from '../../../doses/judge.js';
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
  /** The slots of which people have stated something, or withdrawn it, since they were judged. */
  attested: readonly Date[];
  /** Those that were taken, as is on record, and are not any more: the bottle has reported that. */
  untaken: readonly Date[];
  coverage: RecordedCoverage;
  /** A coverage gap that is longer leaves its doses unconfirmed, if they are late by the end of its grace. Milliseconds. */
  longGap: number;
  graceMs: number;
  /** The alerts of the bottle that name doses, and those that are open. */
  silences: readonly Alert[];
  /** Those of the further bottles of its plan, and which doses an open one gets. */
  further?: readonly { alerts: readonly Alert[]; getsDose: (dose: SlotJudgement) => boolean }[];
}

/**
 * The doses that ended unknown, and that no `bottle_silent` names yet: either a sweep is still to come, or the bottle has
 * reported again before one.
 */
export function unlistedUnknown(
  { last_heard_at }: BottleState,
  doses: readonly SlotJudgement[],
  { settledUntil, attested, untaken, coverage, longGap, graceMs, silences, further = [] }: KnownSilences,
  now: Date,
): SlotJudgement[] {
  if (!last_heard_at) return [];
  return doses.filter((dose) => {
    const { slot } = dose;
    const isOneOf = (slots: readonly Date[]): boolean => slots.some((each) => +each === +slot.scheduled_at);
    const isNew =
      isUnknownInSilence(dose) &&
      (slot.scheduled_at >= settledUntil || isOneOf(attested) || isOneOf(untaken));
    const isRecent = now.getTime() - slot.missed_at.getTime() <= NOTIFIED_SINGLY_MS;
    const isOfGap = coverage
      .longGaps(slot.scheduled_at, slot.missed_at, longGap)
      .some((gap) => wasLateByGrace(slot, gap, { coverage, graceMs }));
    // an open silence gets the dose added to those that it names
    const isNamed =
      silences.some((alert) => isOpenSilence(alert) || names(alert, slot)) ||
      further.some(({ alerts, getsDose }) =>
        alerts.some((alert) => names(alert, slot) || (isOpenSilence(alert) && getsDose(dose))),
      );
    return isNew && isRecent && !isOfGap && !isNamed;
  });
}

const isOpenSilence = ({ kind, open }: Alert): boolean => kind === 'bottle_silent' && open === true;

const names = (alert: Alert, { scheduled_at }: SlotJudgement['slot']): boolean =>
  unconfirmedDosesOf(alert).some((each) => each.getTime() === scheduled_at.getTime());

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
