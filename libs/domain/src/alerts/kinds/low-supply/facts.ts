import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { ANOTHER_PERSON, anotherPersonTitle } from '../../another-person.js';
import { endsIn } from '../../endings.js';
import { type EvidenceIn, isNumber, isText, optional } from '../../evidence-fields.js';

const LOW_SUPPLY_EVIDENCE = {
  rule: isText,
  days: isNumber,
  pills: isNumber,
  /** By the doses of these days. */
  needed: isNumber,
  pills_after_refill: optional(isNumber),
  ...ANOTHER_PERSON,
} as const;

export type LowSupplyEvidence = EvidenceIn<typeof LOW_SUPPLY_EVIDENCE>;

/** Fewer pills may be needed, too, because the schedule changed. */
function wasRefilled({ pills, pills_after_refill: after }: LowSupplyEvidence): boolean {
  return typeof after !== 'number' || after > pills;
}

export const LOW_SUPPLY = {
  title: 'Pills running low',
  series: 'Low supply',
  urgency: 7,
  evidence: LOW_SUPPLY_EVIDENCE,
  optional: true,
  endings: endsIn(['refilled', 'enough_pills', 'other_person'], (evidence: LowSupplyEvidence) => {
    if (evidence.other_person) return 'other_person';
    return wasRefilled(evidence) ? 'refilled' : 'enough_pills';
  }),
  titles: {
    resolved: (evidence, say) =>
      anotherPersonTitle(evidence, say) ??
      say(wasRefilled(evidence) ? 'All clear: bottle refilled' : 'All clear: pills last long enough'),
  },
  afterClosing: 'The pills may still be running low.',
} as const satisfies AlertKindFacts<LowSupplyEvidence>;
