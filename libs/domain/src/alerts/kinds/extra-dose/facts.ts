import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { notMonitoredNow } from '../../not-monitored.js';
import { EXTRA_DOSE_EVIDENCE, type ExtraDoseEvidence } from './evidence.js';
import { extraPillLines } from './texts.js';

/** Of a person who is known to fill a pillbox it is asked, and no alarm. */
const asked = ({ asks_pillbox }: ExtraDoseEvidence): string | undefined =>
  asks_pillbox && 'Were pills moved to a pillbox?';

export const EXTRA_DOSE = {
  title: 'More pills taken than planned',
  series: 'Extra dose',
  urgency: 1,
  evidence: EXTRA_DOSE_EVIDENCE,
  // a single pill too early waits for the morning, unless the doses are a week or more apart
  critical: ({ rule, is_rare, asks_pillbox }) =>
    is_rare === true || (rule !== 'too_early' && asks_pillbox !== true),
  foundBy: 'doses',
  endsByStaff: true,
  unthrottled: true,
  optional: true,
  causedByAction: true,
  endings: endsIn(['returned']),
  titles: {
    raised: asked,
    escalated: (evidence) => asked(evidence) && `Reminder: ${asked(evidence)!.toLowerCase()}`,
    resolved: 'All clear: the pills were put back',
    retracted: ({ not_monitored }) =>
      not_monitored === 'pillbox'
        ? 'Pills were moved to a pillbox'
        : 'Correction: no more pills than planned were taken',
  },
  lines: ({ event, evidence }, at) =>
    event === 'retracted' ? notMonitoredNow(evidence) : extraPillLines(evidence, at),
} as const satisfies AlertKindFacts<ExtraDoseEvidence>;
