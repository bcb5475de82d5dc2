import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { UNREPORTED_EVIDENCE, unreportedLines } from '../../closing-lost.js';
import { NOT_MONITORED_SINCE, notMonitoredNow } from '../../not-monitored.js';
import { ANOTHER_PERSON } from '../../another-person.js';
import { endsIn } from '../../endings.js';
import {
  type EvidenceIn,
  isInstant,
  isNumber,
  isOneOf,
  isPartOf,
  isText,
  optional,
} from '../../evidence-fields.js';

const BOTTLE_OPEN_EVIDENCE = {
  rule: isText,
  open_after_ms: isNumber,
  opened_at: isInstant,
  last_heard_at: optional(isInstant),
  ...UNREPORTED_EVIDENCE,
  /** The newer action that ended it. */
  ended_by: optional(isPartOf({ action: isOneOf('opened', 'closed') })),
  ...NOT_MONITORED_SINCE,
  ...ANOTHER_PERSON,
} as const;

export type BottleOpenEvidence = EvidenceIn<typeof BOTTLE_OPEN_EVIDENCE>;

/** An opening says nothing of how long the bottle was closed before, if it was; nor does a count that has fallen. */
function endingOf(evidence: BottleOpenEvidence): keyof typeof RESOLVED {
  const { ended_by, unreported_pills, not_monitored, other_person } = evidence;
  if (other_person) return 'other_person';
  if (not_monitored) return 'not_monitored';
  if (unreported_pills !== undefined) return 'closing_lost';
  return ended_by?.action === 'opened' ? 'opened_again' : 'lid_closed';
}

const RESOLVED = {
  lid_closed: 'All clear: bottle closed',
  opened_again: 'Bottle was opened again',
  closing_lost: 'Bottle was probably closed',
  not_monitored: 'Bottle is not monitored for now',
  other_person: 'Bottle is another person’s now',
} as const;

export const BOTTLE_OPEN = {
  title: 'Bottle left open',
  series: 'Bottle open',
  urgency: 4,
  evidence: BOTTLE_OPEN_EVIDENCE,
  foundBy: 'lid',
  canFlap: true,
  causedByAction: true,
  endings: endsIn(['lid_closed', 'opened_again', 'closing_lost', 'not_monitored', 'other_person'], endingOf),
  titles: {
    escalated: 'Reminder: bottle still open',
    resolved: (evidence, say) => say(RESOLVED[endingOf(evidence)]),
    retracted: 'Correction: the bottle had been closed',
  },
  lines: ({ event, evidence }, phrases) => {
    const lost = unreportedLines(evidence, phrases);
    if (event === 'resolved' && evidence.not_monitored) return notMonitoredNow(evidence, phrases.say);
    return lost.length > 0 ? [...lost, phrases.say('Check whether the bottle is closed.')] : [];
  },
  afterClosing: 'The bottle may still be open.',
} as const satisfies AlertKindFacts<BottleOpenEvidence>;
