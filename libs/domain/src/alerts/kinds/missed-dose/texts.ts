import { attestorIn, SKIP_REASON_TEXTS } from '../../../attestations/attestation.js';
import { amountText } from '../../../doses/pills.js';
import type { Say, Phrases } from '../../../language/phrases.js';
import type { NotificationEvent } from '../../../notifications/notification-events.js';
import { unreportedLines } from '../../closing-lost.js';
import { planNotMonitoredLines } from '../../not-monitored.js';
import { type MissedDoseEvidence, statementIn } from './evidence.js';

/** `Dose reported taken by the carer`; a correction if something else was sent before. */
export function statedTitle(evidence: MissedDoseEvidence, say: Say): string | undefined {
  const { settled, by } = statementIn(evidence) ?? {};
  if (by === undefined || (settled !== 'taken' && settled !== 'skipped')) return undefined;
  const corrects = evidence.outcome !== undefined;
  const text = corrects
    ? (`Correction: dose reported ${settled} by {{by}}` as const)
    : (`Dose reported ${settled} by {{by}}` as const);
  return say(text, { by: attestorIn(by, say) });
}

/** What people state of the dose, or that a statement was withdrawn. */
export function statementLines(
  event: NotificationEvent,
  evidence: MissedDoseEvidence,
  phrases: Phrases,
): string[] {
  const { say, at } = phrases;
  const { was, taken_at, reason, by } = statementIn(evidence) ?? {};
  if (event !== 'statement_withdrawn')
    return [
      ...(taken_at ? [say('Taken: {{time}}.', { time: at(taken_at) })] : []),
      ...(reason ? [say('Reason: {{reason}}.', { reason: say(SKIP_REASON_TEXTS.get(reason)!) })] : []),
    ];
  return [
    ...(was && by !== undefined
      ? [say(`It is no longer reported ${was}. Changed by {{by}}.`, { by: attestorIn(by, say) })]
      : []),
    ...(evidence.outcome === 'missed' ? [say('The bottle recorded no dose.')] : []),
    ...partTaken(evidence, phrases),
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
  'not_taken_yet',
]);

/** What evidence says of how much of a dose was taken. */
type PartIn = Pick<MissedDoseEvidence, 'pills_scheduled' | 'pills_taken' | 'part_taken_at'>;

/** Whether some of the dose was taken, and not all of it. */
export function isPart({ pills_taken: taken, pills_scheduled: scheduled }: PartIn): boolean {
  return taken > 0 && taken < scheduled;
}

/** What was taken of a dose, if it is a part: `1 of 2 pills were taken: Monday, 2 March 2026 at 08:05:00 UTC.` */
export function partTaken(evidence: PartIn, { say, at, pills }: Phrases): string[] {
  if (!isPart(evidence)) return [];
  const { pills_taken: taken, pills_scheduled: scheduled, part_taken_at: last } = evidence;
  const part = say(
    scheduled <= 1 ? '{{taken}} of {{pills}} was taken' : '{{taken}} of {{pills}} were taken',
    { taken: amountText(taken), pills: pills(scheduled) },
  );
  return [`${part}${last ? `: ${at(last)}` : ''}.`];
}

/** That the pill may have left a bottle that was left open, when a dose is late or missed. */
export function leftOpen(
  event: NotificationEvent,
  { open_since, open_at_end_since }: MissedDoseEvidence,
  { say, at }: Phrases,
): string[] {
  const since = event === 'missed' || event === 'partial' ? open_at_end_since : open_since;
  if (!since || !STARTS_AND_ENDS.has(event)) return [];
  return [say('The bottle was open from {{time}} on: the pill may have been taken.', { time: at(since) })];
}

/** That its pills left the bottle, and by whose word they were not taken. */
export function removedForLater(
  event: NotificationEvent,
  { for_later_by: by }: MissedDoseEvidence,
  say: Say,
): string[] {
  return by && STARTS_AND_ENDS.has(event)
    ? [say("Removed for later, by {{by}}'s word.", { by: attestorIn(by, say) })]
    : [];
}

/** That no report shows what was taken out at a closing. */
function unclearLines({ unclear_closing: closing }: MissedDoseEvidence, { say, at }: Phrases): string[] {
  if (!closing) return [];
  const time = at(closing.at);
  return [
    closing.why === 'filled'
      ? say('The bottle was filled at {{time}}, and no count shows whether pills were taken out then.', {
          time,
        })
      : say('The bottle was closed at {{time}}, and did not report whether pills were taken out.', { time }),
  ];
}

/** Why a dose cannot be confirmed, and what to ask. */
export function unknownLines(evidence: MissedDoseEvidence, phrases: Phrases): string[] {
  const { say } = phrases;
  const ask = say(isPart(evidence) ? 'Ask whether the rest was taken.' : 'Ask whether it was taken.');
  const why = [
    ...unreportedLines(evidence, phrases),
    ...unclearLines(evidence, phrases),
    ...planNotMonitoredLines(evidence, say),
  ];
  return why.length > 0 ? [...why, ask] : [`${say('The bottle was not connected at its end.')} ${ask}`];
}

const STARTS_AND_ENDS: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>([
  'raised',
  'escalated',
  'missed',
  'partial',
]);
