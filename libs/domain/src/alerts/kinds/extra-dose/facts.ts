import type { Say } from '../../../language/phrases.js';
import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { notMonitoredNow } from '../../not-monitored.js';
import { EXTRA_DOSE_EVIDENCE, type ExtraDoseEvidence } from './evidence.js';
import { extraPillLines } from './texts.js';

/** Of a person who is known to fill a pillbox it is asked, and no alarm. */
const asked = (
  text: 'Were pills moved to a pillbox?' | 'Reminder: were pills moved to a pillbox?',
): ((evidence: ExtraDoseEvidence, say: Say) => string | undefined) => {
  return ({ asks_pillbox }, say) => asks_pillbox && say(text);
};

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
    raised: asked('Were pills moved to a pillbox?'),
    escalated: asked('Reminder: were pills moved to a pillbox?'),
    resolved: 'All clear: the pills were put back',
    retracted: ({ not_monitored }, say) =>
      say(
        not_monitored === 'pillbox'
          ? 'Pills were moved to a pillbox'
          : 'Correction: no more pills than planned were taken',
      ),
  },
  lines: ({ event, evidence }, phrases) =>
    event === 'retracted' ? notMonitoredNow(evidence, phrases.say) : extraPillLines(evidence, phrases),
} as const satisfies AlertKindFacts<ExtraDoseEvidence>;
