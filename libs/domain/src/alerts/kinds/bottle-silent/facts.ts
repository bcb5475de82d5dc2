import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { ANOTHER_PERSON, anotherPersonTitle } from '../../another-person.js';
import { endsIn } from '../../endings.js';
import {
  type EvidenceIn,
  isInstant,
  isListOf,
  isNumber,
  isOneOf,
  isText,
  optional,
} from '../../evidence-fields.js';
import { NOT_MONITORED_SINCE, notMonitoredNow, notMonitoredTitle } from '../../not-monitored.js';

/** The rule of an alert that was raised though there was no report to be silent since. */
export const NEVER_REPORTED = 'never_reported';

/** Of a silence that ended without a report. */
const ENDED_OTHERWISE = {
  ...NOT_MONITORED_SINCE,
  ...ANOTHER_PERSON,
} as const;

const HIDDEN_DOSES = {
  /** The doses that the silence hides, and that cannot be confirmed. */
  unconfirmed_doses: optional(isListOf(isInstant)),
  /** The id of the bottle whose doses they are, if this one is for its plan. */
  plan_of: optional(isText),
} as const;

const SILENT_AFTER_EVIDENCE = {
  rule: isOneOf('silent_after'),
  silent_after_ms: isNumber,
  last_heard_at: isInstant,
  /** For how long reports were accepted since then. */
  listened_ms: isNumber,
  ...HIDDEN_DOSES,
  heard_again_at: optional(isInstant),
  ...ENDED_OTHERWISE,
} as const;

const NEVER_REPORTED_EVIDENCE = {
  rule: isOneOf(NEVER_REPORTED),
  registered_at: isInstant,
  ...HIDDEN_DOSES,
  first_heard_at: optional(isInstant),
  ...ENDED_OTHERWISE,
} as const;

export type SilentAfterEvidence = EvidenceIn<typeof SILENT_AFTER_EVIDENCE>;
export type NeverReportedEvidence = EvidenceIn<typeof NEVER_REPORTED_EVIDENCE>;
export type BottleSilentEvidence = SilentAfterEvidence | NeverReportedEvidence;

export function hasNeverReported(evidence: BottleSilentEvidence): evidence is NeverReportedEvidence {
  return evidence.rule === NEVER_REPORTED;
}

export const BOTTLE_SILENT = {
  title: 'Bottle offline',
  series: 'Bottle silent',
  urgency: 5,
  evidence: { silent_after: SILENT_AFTER_EVIDENCE, [NEVER_REPORTED]: NEVER_REPORTED_EVIDENCE },
  foundBy: 'silence',
  canFlap: true,
  daily: true,
  heldByFleetIncident: true,
  endings: endsIn(
    ['back_online', 'not_monitored', 'other_person'],
    ({ not_monitored, other_person }: BottleSilentEvidence) =>
      other_person ? 'other_person' : not_monitored ? 'not_monitored' : 'back_online',
  ),
  titles: {
    raised: (evidence, say) => (hasNeverReported(evidence) ? say('Bottle has never reported') : undefined),
    escalated: (evidence, say) =>
      say(
        hasNeverReported(evidence)
          ? 'Reminder: bottle has still never reported'
          : 'Reminder: bottle still offline',
      ),
    resolved: (evidence, say) =>
      notMonitoredTitle(evidence, say) ??
      anotherPersonTitle(evidence, say) ??
      say(hasNeverReported(evidence) ? 'All clear: bottle online' : 'All clear: bottle online again'),
  },
  lines: ({ event, evidence }, { say, at }) => [
    ...(event === 'resolved' ? notMonitoredNow(evidence, say) : []),
    ...(evidence.unconfirmed_doses ?? []).map((dose) =>
      // its reports may have arrived since
      say(
        event === 'resolved'
          ? 'Not confirmed while the bottle was offline: the dose of {{time}}.'
          : 'Cannot be confirmed: the dose of {{time}}.',
        { time: at(dose) },
      ),
    ),
  ],
  afterClosing: 'The bottle may still be offline.',
} as const satisfies AlertKindFacts<BottleSilentEvidence>;
