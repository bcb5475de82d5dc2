import { type Person, USER } from '../../../notifications/persons.js';
import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { type EvidenceIn, isInstant, isOneOf, isText } from '../../evidence-fields.js';

const HELP_REQUESTED_EVIDENCE = {
  rule: isOneOf('asked'),
  /** The dose that they were asked about, its slot. */
  scheduled_at: isInstant,
  /** Who asks: a {@link Person}. */
  asked_by: isText,
} as const;

export type HelpRequestedEvidence = EvidenceIn<typeof HELP_REQUESTED_EVIDENCE> & { asked_by: Person };

export const HELP_REQUESTED = {
  title: 'Help is needed',
  series: 'Help requested',
  urgency: 0.5,
  evidence: HELP_REQUESTED_EVIDENCE,
  critical: true,
  unthrottled: true,
  endsByStaff: true,
  policyOf: 'missed_dose',
  calls: true,
  endings: endsIn(['withdrawn']),
  titles: {
    escalated: 'Reminder: help is needed',
    resolved: 'Help is no longer needed',
  },
  lines: ({ event, evidence: { asked_by, scheduled_at } }, { say, at }) => {
    const time = at(scheduled_at);
    if (event === 'resolved')
      return [say('Whoever asked for help with the dose of {{time}} has withdrawn it.', { time })];
    return [
      asked_by === USER
        ? say('The patient asks for help with the dose of {{time}}.', { time })
        : say('A carer asks for help with the dose of {{time}}.', { time }),
    ];
  },
} as const satisfies AlertKindFacts<HelpRequestedEvidence>;
