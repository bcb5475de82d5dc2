import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { EXTRA_DOSE_EVIDENCE, type ExtraDoseEvidence } from './evidence.js';
import { extraPillLines } from './texts.js';

export const EXTRA_DOSE = {
  title: 'More pills taken than planned',
  series: 'Extra dose',
  urgency: 1,
  evidence: EXTRA_DOSE_EVIDENCE,
  // a single pill too early waits for the morning, unless the doses are a week or more apart
  critical: ({ rule, is_rare }) => rule !== 'too_early' || is_rare === true,
  foundBy: 'doses',
  endsByStaff: true,
  unthrottled: true,
  optional: true,
  causedByAction: true,
  endings: endsIn(['returned']),
  titles: {
    resolved: 'All clear: the pills were put back',
    retracted: 'Correction: no more pills than planned were taken',
  },
  lines: ({ event, evidence }, at) => (event === 'retracted' ? [] : extraPillLines(evidence, at)),
} as const satisfies AlertKindFacts<ExtraDoseEvidence>;
