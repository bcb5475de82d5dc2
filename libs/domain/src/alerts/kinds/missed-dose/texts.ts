import { SKIP_REASON_TEXTS } from '../../../attestations/attestation.js';
import { amountText, pillsText } from '../../../doses/pills.js';
import type { NotificationEvent } from '../../../notifications/notification-events.js';
import type { At } from '../../alert-kind-facts.js';
import { unreportedLines } from '../../closing-lost.js';
import { planNotMonitoredLines } from '../../not-monitored.js';
import { type MissedDoseEvidence, statementIn } from './evidence.js';

/** `Dose reported taken by the carer`; a correction if something else was sent before. */
export function statedTitle(evidence: MissedDoseEvidence): string {
  const { settled, by } = statementIn(evidence) ?? {};
  const corrects = evidence.outcome !== undefined;
  return `${corrects ? 'Correction: dose' : 'Dose'} reported ${settled} by ${by}`;
}

/** What people state of the dose, or that a statement was withdrawn. */
export function statementLines(event: NotificationEvent, evidence: MissedDoseEvidence, at: At): string[] {
  const { was, taken_at, reason, by } = statementIn(evidence) ?? {};
  if (event !== 'statement_withdrawn')
    return [
      ...(taken_at ? [`Taken: ${at(taken_at)}.`] : []),
      ...(reason ? [`Reason: ${SKIP_REASON_TEXTS.get(reason)}.`] : []),
    ];
  return [
    `It is no longer reported ${String(was)}. Changed by ${by}.`,
    ...(evidence.outcome === 'missed' ? ['The bottle recorded no dose.'] : []),
    ...partTaken(evidence, at),
  ];
}

/** The events about a dose that was not taken whole: they name the part that was. */
export const NAMES_PART: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>([
  'raised',
  'escalated',
  'unknown',
  'partial',
  'corrected',
  'monitored_again',
]);

/** What evidence says of how much of a dose was taken. */
type PartIn = Pick<MissedDoseEvidence, 'pills_scheduled' | 'pills_taken' | 'part_taken_at'>;

/** Whether some of the dose was taken, and not all of it. */
export function isPart({ pills_taken: taken, pills_scheduled: scheduled }: PartIn): boolean {
  return taken > 0 && taken < scheduled;
}

/** What was taken of a dose, if it is a part: `1 of 2 pills were taken: Monday, 2 March 2026 at 08:05:00 UTC.` */
export function partTaken(evidence: PartIn, at: At): string[] {
  if (!isPart(evidence)) return [];
  const { pills_taken: taken, pills_scheduled: scheduled, part_taken_at: last } = evidence;
  return [
    `${amountText(taken)} of ${pillsText(scheduled)} ${scheduled <= 1 ? 'was' : 'were'} taken${last ? `: ${at(last)}` : ''}.`,
  ];
}

/** That the pill may have left a bottle that was left open, when a dose is late or missed. */
export function leftOpen(
  event: NotificationEvent,
  { open_since, open_at_end_since }: MissedDoseEvidence,
  at: At,
): string[] {
  const since = event === 'missed' || event === 'partial' ? open_at_end_since : open_since;
  if (!since || !STARTS_AND_ENDS.has(event)) return [];
  return [`The bottle was open from ${at(since)} on: the pill may have been taken.`];
}

/** That its pills left the bottle, and by whose word they were not taken. */
export function removedForLater(
  event: NotificationEvent,
  { for_later_by: by }: MissedDoseEvidence,
): string[] {
  return by && STARTS_AND_ENDS.has(event) ? [`Removed for later, by ${by}'s word.`] : [];
}

/** Why a dose cannot be confirmed, and what to ask. */
export function unknownLines(evidence: MissedDoseEvidence, at: At): string[] {
  const what = isPart(evidence) ? 'the rest' : 'it';
  const why = [...unreportedLines(evidence, at), ...planNotMonitoredLines(evidence)];
  return why.length > 0
    ? [...why, `Ask whether ${what} was taken.`]
    : [`The bottle was not connected at its end. Ask whether ${what} was taken.`];
}

const STARTS_AND_ENDS: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>([
  'raised',
  'escalated',
  'missed',
  'partial',
]);
