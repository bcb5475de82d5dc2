import type { BottleState } from '../../../bottle-state/bottle-state.js';
import type { RecordedCoverage } from '../../../coverage/recorded-coverage.js';
import { isUnknownInSilence, type SlotJudgement } from '../../../doses/judge.js';
import { wasLateByGrace } from '../../../doses/unconfirmed.js';
import { MINUTE_MS } from '../../../time/durations.js';
import type { Alert } from '../../alert.js';
import type { AlertBottle, AlertToRaise } from '../../findings.js';
import { unconfirmedDosesOf } from '../bottle-silent/silence.js';
import { SILENCE_UNSEEN } from './evidence.js';
import { endWith, lateDoseAlert, NOTIFIED_SINGLY_MS } from './missed-dose.js';

/** How soon it is looked again whether a silence is over. Milliseconds. */
const RETRY_MS = MINUTE_MS;

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
  /** The alerts of the bottle and of the further bottles of its plan that are over, and by which people know of its doses. */
  over: readonly Alert[];
}

/**
 * The doses that ended unknown, and that no `bottle_silent` has named to anybody: it may still do so, or the bottle has
 * reported again before a sweep, or before the start was sent.
 */
export function unlistedUnknown(
  doses: readonly SlotJudgement[],
  { settledUntil, attested, untaken, coverage, longGap, graceMs, over }: KnownSilences,
  now: Date,
): SlotJudgement[] {
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
    return isNew && isRecent && !isOfGap && !over.some((alert) => namesDose(alert, slot));
  });
}

/** Whether a silence names a dose. */
export function namesDose(alert: Alert, { scheduled_at }: SlotJudgement['slot']): boolean {
  return unconfirmedDosesOf(alert).some((each) => each.getTime() === scheduled_at.getTime());
}

/** An open silence of a bottle of a plan, which may be held down. */
export interface OpenSilence {
  alert: Alert;
  /** Of its bottle. */
  state: Pick<BottleState, 'alerted_silence'>;
  /** Whether a dose that ends unknown is added to those that it names. */
  getsDose: (dose: SlotJudgement) => boolean;
}

/** The open silences that name a dose, or get it: whether anybody was notified of it is known when they are over. */
export function silencesOver(dose: SlotJudgement, open: readonly OpenSilence[]): OpenSilence[] {
  return open.filter(({ alert, getsDose }) => getsDose(dose) || namesDose(alert, dose.slot));
}

/**
 * When it is looked again whether a silence is over, if no report comes before: when its hold-down ends, or when a check
 * has seen that its bottle reported; undefined while it lasts.
 */
export function nextCheckAt(
  { alert: { clears_at }, state }: Pick<OpenSilence, 'alert' | 'state'>,
  now: Date,
): Date | undefined {
  if (!clears_at && state.alerted_silence !== 'over') return undefined;
  return new Date(Math.max(clears_at?.getTime() ?? 0, now.getTime()) + RETRY_MS);
}

/** Whether a backlog, or the alert of the silence, may still come. */
export function isUndecided({ back_at, next_look_at }: SlotJudgement): boolean {
  return back_at === undefined || next_look_at !== undefined;
}

/**
 * The alerts of doses that ended unknown in a silence of which nobody was notified: it was over before a sweep saw it, or
 * before its start was sent. They are raised and end at once.
 *
 * @param doses of {@link unlistedUnknown}, those that nothing holds any more.
 */
export function findSilenceUnseen(
  bottle: AlertBottle,
  doses: readonly SlotJudgement[],
  now: Date,
): AlertToRaise<'missed_dose'>[] {
  return doses.map((dose) => {
    const alert = lateDoseAlert(bottle, dose);
    return {
      ...alert,
      evidence: { ...alert.evidence, rule: SILENCE_UNSEEN, heard_at: dose.back_at },
      end: endWith(dose, now),
    };
  });
}
