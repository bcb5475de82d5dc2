import type { AlertKindFacts } from '../../alert-kind-facts.js';
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
  /** The newer action that ended it. */
  ended_by: optional(isPartOf({ action: isOneOf('opened', 'closed') })),
} as const;

export type BottleOpenEvidence = EvidenceIn<typeof BOTTLE_OPEN_EVIDENCE>;

/** The newer action is an opening: nobody knows how long it was closed before, if it was. */
function wasOpenedAgain({ ended_by }: BottleOpenEvidence): boolean {
  return ended_by?.action === 'opened';
}

export const BOTTLE_OPEN = {
  title: 'Bottle left open',
  series: 'Bottle open',
  urgency: 4,
  evidence: BOTTLE_OPEN_EVIDENCE,
  canFlap: true,
  causedByAction: true,
  endings: endsIn(['lid_closed', 'opened_again'], (evidence: BottleOpenEvidence) =>
    wasOpenedAgain(evidence) ? 'opened_again' : 'lid_closed',
  ),
  titles: {
    escalated: 'Reminder: bottle still open',
    resolved: (evidence) =>
      wasOpenedAgain(evidence) ? 'Bottle was opened again' : 'All clear: bottle closed',
    retracted: 'Correction: the bottle had been closed',
  },
  afterClosing: 'The bottle may still be open.',
} as const satisfies AlertKindFacts<BottleOpenEvidence>;
