import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { ANOTHER_PERSON, anotherPersonTitle } from '../../another-person.js';
import { endsIn } from '../../endings.js';
import {
  type EvidenceIn,
  isInstant,
  isListOf,
  isNumber,
  isPartOf,
  isText,
  optional,
} from '../../evidence-fields.js';

const BATTERY_LOW_EVIDENCE = {
  rule: isText,
  /** The threshold. */
  low_percent: isNumber,
  low_since: isInstant,
  battery_percent: isNumber,
  /** Those at which the charge changed, and the last one. */
  readings: isListOf(isPartOf({ at: isInstant, percent: isNumber })),
  recovered_at: optional(isInstant),
  recovered_percent: optional(isNumber),
  ...ANOTHER_PERSON,
} as const;

export type BatteryLowEvidence = EvidenceIn<typeof BATTERY_LOW_EVIDENCE>;

export const BATTERY_LOW = {
  title: 'Bottle battery low',
  series: 'Battery low',
  urgency: 8,
  evidence: BATTERY_LOW_EVIDENCE,
  optional: true,
  endings: endsIn(['charged', 'other_person'], ({ other_person }: BatteryLowEvidence) =>
    other_person ? 'other_person' : 'charged',
  ),
  titles: {
    escalated: 'Reminder: battery still low',
    resolved: (evidence, say) => anotherPersonTitle(evidence, say) ?? say('All clear: battery charged'),
  },
  lines: ({ event, evidence: { battery_percent, recovered_percent } }, { say }) => {
    const percent = event === 'resolved' ? recovered_percent : battery_percent;
    return typeof percent === 'number' ? [say('Battery: {{percent}} %.', { percent })] : [];
  },
  afterClosing: 'The battery may still be low.',
} as const satisfies AlertKindFacts<BatteryLowEvidence>;
