import { amountText } from '../../../doses/pills.js';
import type { AlertKindFacts } from '../../alert-kind-facts.js';
import { endsIn } from '../../endings.js';
import { type EvidenceIn, isInstant, isNumber, isOneOf, optional } from '../../evidence-fields.js';

const SHARED_TOKEN_EVIDENCE = {
  rule: isOneOf('two_counts'),
  /** Of the action, or the heartbeat, that continues one of the counts. */
  counted_at: isInstant,
  /** Pills before it, or as the heartbeat counted. */
  number_of_pills: isNumber,
  /** The count that was reported just before. */
  other_number_of_pills: isNumber,
  /** What ended it. Absent if the counts no longer alternated. */
  token_replaced_at: optional(isInstant),
} as const;

export type SharedTokenEvidence = EvidenceIn<typeof SHARED_TOKEN_EVIDENCE>;

export const SHARED_TOKEN = {
  title: 'Two bottles report with one token',
  series: 'Shared token',
  urgency: 5.5,
  evidence: SHARED_TOKEN_EVIDENCE,
  // whoever takes the pills cannot replace a token
  goesToOperator: true,
  endings: endsIn(
    ['token_replaced', 'counts_no_longer_alternate'],
    ({ token_replaced_at: replaced }: SharedTokenEvidence) =>
      replaced ? 'token_replaced' : 'counts_no_longer_alternate',
  ),
  titles: {
    resolved: ({ token_replaced_at: replaced }, say) =>
      say(replaced ? 'All clear: the token was replaced' : 'All clear: counts no longer alternate'),
  },
  lines: ({ event, evidence: { number_of_pills: one, other_number_of_pills: other } }, { say }) =>
    event === 'resolved'
      ? []
      : [
          say('Two counts alternate: {{one}} and {{other}} pills. Replace its token.', {
            one: amountText(one),
            other: amountText(other),
          }),
        ],
  afterClosing: 'Two bottles may still report with one token.',
} as const satisfies AlertKindFacts<SharedTokenEvidence>;
