import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import {
  type EvidenceIn,
  isInstant,
  isNumber,
  isOneOf,
  isText,
  isTrue,
  optional,
} from '../../evidence-fields.js';
import { isDoseOutcome } from '../missed-dose/evidence.js';
import { isPart, partTaken } from '../missed-dose/texts.js';

/** Why nobody is reminded of a dose any more: it was taken, somebody stated what became of it, it is late, or not due. */
export const REMINDER_ENDS = ['taken', 'stated', 'late', 'not_due'] as const;

const DOSE_REMINDER_EVIDENCE = {
  rule: isText,
  /** The slot. */
  scheduled_at: isInstant,
  /** From then on it is late, and nobody is reminded. */
  late_at: isInstant,
  pills_scheduled: isNumber,
  /** What was taken of it so far. */
  pills_taken: isNumber,
  /** When the last of a part was taken; absent if nothing or all of it was. */
  part_taken_at: optional(isInstant),
  /** In a message: since when a bottle of the plan has not reported. */
  offline_since: optional(isInstant),
  /** In a message: a bottle of the plan has never reported. */
  never_reported: optional(isTrue),
  /** Why it ended. */
  over: optional(isOneOf(...REMINDER_ENDS)),
  /** Of the dose, if it had one when it ended. */
  outcome: optional(isDoseOutcome),
} as const;

export type DoseReminderEvidence = EvidenceIn<typeof DOSE_REMINDER_EVIDENCE>;

const cannotKnow = ({ offline_since, never_reported }: DoseReminderEvidence): boolean =>
  offline_since !== undefined || never_reported === true;

export const DOSE_REMINDER = {
  title: 'Dose reminder',
  series: 'Dose reminder',
  urgency: 20,
  evidence: DOSE_REMINDER_EVIDENCE,
  foundBy: 'doses',
  unthrottled: true,
  asksForDose: true,
  reminds: true,
  endings: endsIn(
    ['dose_taken', 'dose_stated', 'dose_late', 'dose_not_due'],
    ({ over }: DoseReminderEvidence) => over && `dose_${over}`,
  ),
  titles: {
    // whoever reads that nothing was taken may take all of it
    raised: (evidence, say) =>
      isPart(evidence) ? say('Dose reminder: part of the dose was taken') : undefined,
    escalated: (evidence, say) => {
      if (isPart(evidence)) return say('Dose reminder: part of the dose was taken');
      return cannotKnow(evidence) ? undefined : say('Dose reminder: not taken yet');
    },
  },
  lines: ({ subject, evidence }, phrases) => {
    const { say, at } = phrases;
    const { offline_since: since, never_reported } = evidence;
    return [
      say('Due: {{time}}.', { time: at(subject) }),
      ...partTaken(evidence, phrases),
      ...(since ? [say('The bottle has not reported since {{time}}.', { time: at(since) })] : []),
      ...(never_reported ? [say('The bottle has never reported.')] : []),
      ...(cannotKnow(evidence) ? [say('We cannot know whether the dose was taken.')] : []),
    ];
  },
} as const satisfies AlertKindFacts<DoseReminderEvidence>;
