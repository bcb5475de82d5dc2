import type { NotificationEvent } from '../notifications/notification-events.js';
import { SKIP_REASON_TEXTS, statementIn } from '../attestations/attestation.js';

/** What a notification says of an alert, as a receiver gets it. Times are ISO 8601, UTC. */
export interface AlertContent {
  event: NotificationEvent;
  subject: string;
  evidence: Record<string, unknown>;
}

/** `Dose reported taken by the carer`; a correction if something else was sent before. */
export function statedTitle(evidence: Record<string, unknown>): string {
  const { settled, by } = statementIn(evidence) ?? {};
  const corrects = evidence['outcome'] !== undefined;
  return `${corrects ? 'Correction: dose' : 'Dose'} reported ${settled} by ${by}`;
}

/** What people state of the dose, or that a statement was withdrawn. */
export function statementLines(
  event: NotificationEvent,
  evidence: Record<string, unknown>,
  at: (iso: string) => string,
): string[] {
  const { was, taken_at, reason, by } = statementIn(evidence) ?? {};
  if (event !== 'statement_withdrawn')
    return [
      ...(taken_at ? [`Taken: ${at(...(timesOf([taken_at]) as [string]))}.`] : []),
      ...(reason ? [`Reason: ${SKIP_REASON_TEXTS.get(reason)}.`] : []),
    ];
  const measured = evidence['outcome'];
  return [
    `It is no longer reported ${String(was)}. Changed by ${by}.`,
    ...(measured === 'missed' ? ['The bottle recorded no dose.'] : []),
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
]);

/** Whether some of the dose was taken, and not all of it. */
export function isPart({ pills_taken: taken, pills_scheduled: scheduled }: Record<string, unknown>): boolean {
  return typeof taken === 'number' && typeof scheduled === 'number' && taken > 0 && taken < scheduled;
}

/** What was taken of a dose, if it is a part: `1 of 2 pills were taken: Monday, 2 March 2026 at 08:05:00 UTC.` */
export function partTaken(evidence: Record<string, unknown>, at: (iso: string) => string): string[] {
  if (!isPart(evidence)) return [];
  const { pills_taken: taken, pills_scheduled: scheduled, part_taken_at: time } = evidence;
  const [last] = timesOf([time]);
  return [
    `${String(taken)} of ${String(scheduled)} pills were taken${time === undefined ? '' : `: ${at(last!)}`}.`,
  ];
}

/** That the pill may have left a bottle that was left open, when a dose is late or missed. */
export function leftOpen(
  event: NotificationEvent,
  { open_since, open_at_end_since }: Record<string, unknown>,
  at: (iso: string) => string,
): string[] {
  const since = event === 'missed' || event === 'partial' ? open_at_end_since : open_since;
  if (since === undefined || !STARTS_AND_ENDS.has(event)) return [];
  return [`The bottle was open from ${at(timesOf([since])[0]!)} on: the pill may have been taken.`];
}

/** That its pills left the bottle, and by whose word they were not taken. */
export function removedForLater(
  event: NotificationEvent,
  { for_later_by: by }: Record<string, unknown>,
): string[] {
  return typeof by === 'string' && STARTS_AND_ENDS.has(event) ? [`Removed for later, by ${by}'s word.`] : [];
}

/** Why a dose cannot be confirmed, and what to ask. */
export function unknownLines(evidence: Record<string, unknown>, at: (iso: string) => string): string[] {
  const what = isPart(evidence) ? 'the rest' : 'it';
  const lost = unreportedLines(evidence, at);
  return lost.length > 0
    ? [...lost, `Ask whether ${what} was taken.`]
    : [`The bottle was not connected at its end. Ask whether ${what} was taken.`];
}

/** That pills left the bottle by its count, and the report of a closing was lost. */
export function unreportedLines(
  { unreported_pills: pills, unreported_from: from, unreported_until: until }: Record<string, unknown>,
  at: (iso: string) => string,
): string[] {
  if (typeof pills !== 'number') return [];
  const [after, before] = timesOf([from, until]);
  return [
    `By its count, ${pills} ${pills === 1 ? 'pill' : 'pills'} left the bottle between ${at(after!)} and ${at(before!)}. The report of its closing was lost.`,
  ];
}

const STARTS_AND_ENDS: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>([
  'raised',
  'escalated',
  'missed',
  'partial',
]);

/** Instants as ISO 8601, as a message has them or the database. */
export function timesOf(doses: unknown): string[] {
  return Array.isArray(doses)
    ? doses.map((dose: unknown) => (dose instanceof Date ? dose.toISOString() : String(dose)))
    : [];
}
