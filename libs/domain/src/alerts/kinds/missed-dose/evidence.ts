import { SKIP_REASONS } from '../../../attestations/attestation.js';
import { DOSE_OUTCOMES } from '../../../doses/judge.js';
import { UNCLEAR_REASONS } from '../../../doses/unclear-closings.js';
import { UNREPORTED_EVIDENCE } from '../../closing-lost.js';
import { PERIOD_EVIDENCE } from '../../not-monitored.js';
import {
  type EvidenceIn,
  isInstant,
  isNumber,
  isOneOf,
  isPartOf,
  isText,
  optional,
} from '../../evidence-fields.js';

/** The rule of a dose that ended unknown in a silence of which nobody was notified: its end is the first that people get. */
export const SILENCE_UNSEEN = 'silence_unseen';

/** The rule of a dose that cannot be confirmed because a closing was lost: its end is the first that people get. */
export const CLOSING_LOST = 'closing_lost';

/** The rule of a dose that cannot be confirmed because no report shows what was taken out: its end is the first that people get. */
export const UNCLEAR_CLOSING = 'unclear_closing';

/**
 * The rule of a dose that may have been taken in a period without monitoring of another bottle of its plan: its end is the
 * first that people get.
 */
export const PLAN_NOT_MONITORED = 'plan_not_monitored';

/** The outcome of a dose. */
export const isDoseOutcome = isOneOf(...DOSE_OUTCOMES);

/** What people state of the dose. */
const isStatement = isPartOf({
  settled: isOneOf('taken', 'skipped', 'withdrawn'),
  /** Of `withdrawn`: what it was settled as. */
  was: optional(isOneOf('taken', 'skipped')),
  /** Whose word it is, for a sentence. */
  by: isText,
  at: isInstant,
  taken_at: optional(isInstant),
  reason: optional(isOneOf(...SKIP_REASONS)),
  /** The id of the entry that made it so, in hex. */
  entry: isText,
});

export const MISSED_DOSE_EVIDENCE = {
  rule: isText,
  /** The slot. */
  scheduled_at: isInstant,
  late_at: isInstant,
  /** Its end. */
  missed_at: isInstant,
  pills_scheduled: isNumber,
  /** What was taken of it so far. */
  pills_taken: isNumber,
  /** When the last of a part was taken; absent if nothing or all of it was. */
  part_taken_at: optional(isInstant),
  /** The contact by which it is known. */
  heard_at: optional(isInstant),
  /** Whose word it is, for a sentence, that its pills were removed for later. */
  for_later_by: optional(isText),
  /** Since when the bottle was open when the dose was late. */
  open_since: optional(isInstant),
  /** Since when the bottle was open when the dose ended. */
  open_at_end_since: optional(isInstant),
  ...UNREPORTED_EVIDENCE,
  /** By which it may have been taken, though no report shows it. */
  unclear_closing: optional(isPartOf({ at: isInstant, why: isOneOf(...UNCLEAR_REASONS) })),
  /** Once it has one. */
  outcome: optional(isDoseOutcome),
  /** When it was taken whole. */
  taken_at: optional(isInstant),
  ...PERIOD_EVIDENCE,
  /** When what is known later changed its outcome last: a period, or pills that were put back. */
  judged_again_at: optional(isInstant),
  /** The statement that ended or corrected the alert. */
  reported: optional(isStatement),
} as const;

export type MissedDoseEvidence = EvidenceIn<typeof MISSED_DOSE_EVIDENCE>;

/** What the evidence of an alert has of people's statements. */
export type StatementEvidence = NonNullable<MissedDoseEvidence['reported']>;

/** What evidence may say of how a dose ended; that of other kinds says nothing of it. */
export interface DoseEndEvidence extends Pick<
  MissedDoseEvidence,
  'rule' | 'outcome' | 'taken_at' | 'reported' | 'period' | 'judged_again_at'
> {
  pills_taken?: number;
}

/** The statement that ended or corrected an alert; undefined if none did. */
export function statementIn({ reported }: DoseEndEvidence): StatementEvidence | undefined {
  return reported;
}

/** Whether the dose of an alert that was retracted, because it was in a period, is in none any more and not over yet. */
export function isMonitoredAgain({ outcome, period }: Pick<DoseEndEvidence, 'outcome' | 'period'>): boolean {
  return outcome === undefined && period !== undefined;
}

/** Whether the dose of an alert that ended taken or unknown is not taken after all, and not over yet. */
export function isLateAgain({ outcome, period, judged_again_at }: DoseEndEvidence): boolean {
  return outcome === undefined && period === undefined && judged_again_at !== undefined;
}
