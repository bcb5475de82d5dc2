import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { ANOTHER_PERSON, anotherPersonTitle } from '../../another-person.js';
import { endsIn } from '../../endings.js';
import { type EvidenceIn, isInstant, isNumber, isPartOf, isText, optional } from '../../evidence-fields.js';

/** The numbers of one weighing. Grams and pills. */
const WEIGHED = {
  weighed_at: isInstant,
  number_of_pills: isNumber,
  measured_mass: isNumber,
  expected_mass: isNumber,
  difference_pills: isNumber,
  pill_mass: isNumber,
  learned_from_bottles: isNumber,
} as const;

export type WeighedEvidence = EvidenceIn<typeof WEIGHED>;

const COUNT_MISMATCH_EVIDENCE = {
  rule: isText,
  ...WEIGHED,
  tolerance_pills: isNumber,
  differs_since: isInstant,
  /** The weighing that ended it. */
  agrees_again: optional(isPartOf(WEIGHED)),
  ...ANOTHER_PERSON,
} as const;

export type CountMismatchEvidence = EvidenceIn<typeof COUNT_MISMATCH_EVIDENCE>;

export const COUNT_MISMATCH = {
  title: 'Weight and pill count differ',
  series: 'Count mismatch',
  urgency: 6,
  evidence: COUNT_MISMATCH_EVIDENCE,
  optional: true,
  endings: endsIn(
    ['count_agrees', 'other_medication', 'other_person'],
    ({ agrees_again, other_person }: CountMismatchEvidence) => {
      if (other_person) return 'other_person';
      return agrees_again === undefined ? 'other_medication' : 'count_agrees';
    },
  ),
  titles: {
    escalated: 'Reminder: weight and pill count still differ',
    resolved: (evidence, say) =>
      anotherPersonTitle(evidence, say) ??
      say(
        evidence.agrees_again === undefined
          ? 'All clear: another medication is in the bottle'
          : 'All clear: weight and pill count agree',
      ),
  },
  // what a person can check by looking into the bottle
  lines: (
    { event, evidence: { number_of_pills: counted, difference_pills: difference } },
    { say, pills },
  ) => {
    if (event === 'resolved') return [];
    const weighed = Math.round(counted + difference);
    return [
      say(
        counted > 0 && counted <= 1
          ? 'By its count there is {{pills}} in it, by its weight about {{weighed}}.'
          : 'By its count there are {{pills}} in it, by its weight about {{weighed}}.',
        { pills: pills(counted), weighed },
      ),
    ];
  },
  afterClosing: 'Weight and pill count may still differ.',
} as const satisfies AlertKindFacts<CountMismatchEvidence>;
