import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { ANOTHER_PERSON, anotherPersonTitle } from '../../another-person.js';
import { endsIn } from '../../endings.js';
import { type EvidenceIn, isInstant, isNumber, isText, optional } from '../../evidence-fields.js';

const DOSES_MISSED_IN_A_ROW_EVIDENCE = {
  rule: isText,
  /** How many missed doses make a row. */
  in_a_row: isNumber,
  /** How many there were. */
  doses_missed: isNumber,
  /** When the first of them was due. */
  missed_since: isInstant,
  /** When the last of them was due. */
  missed_until: isInstant,
  /** When the dose was due that ended the row. */
  ended_with_dose: optional(isInstant),
  ...ANOTHER_PERSON,
} as const;

export type DosesMissedInARowEvidence = EvidenceIn<typeof DOSES_MISSED_IN_A_ROW_EVIDENCE>;

export const DOSES_MISSED_IN_A_ROW = {
  title: 'Several doses missed in a row',
  series: 'Doses missed in a row',
  // between a missed dose and a gap of ours
  urgency: 2.5,
  foundBy: 'doses',
  unthrottled: true,
  evidence: DOSES_MISSED_IN_A_ROW_EVIDENCE,
  endings: endsIn(['row_ended', 'other_person'], ({ other_person }: DosesMissedInARowEvidence) =>
    other_person ? 'other_person' : 'row_ended',
  ),
  titles: {
    escalated: 'Reminder: several doses missed in a row',
    resolved: (evidence, say) =>
      anotherPersonTitle(evidence, say) ?? say('All clear: doses are no longer missed in a row'),
    retracted: 'Correction: the doses were not missed in a row',
  },
  lines: ({ event, evidence: { doses_missed, missed_since, ended_with_dose } }, { say, at }) => {
    if (event === 'retracted') return [];
    const ended = event === 'resolved' && ended_with_dose;
    return [
      say('{{count}} doses in a row were missed. The first was due: {{time}}.', {
        count: doses_missed,
        time: at(missed_since),
      }),
      ...(ended ? [say('The row ended with the dose of {{time}}.', { time: at(ended) })] : []),
    ];
  },
  afterClosing: 'Further doses may be missed.',
} as const satisfies AlertKindFacts<DosesMissedInARowEvidence>;
