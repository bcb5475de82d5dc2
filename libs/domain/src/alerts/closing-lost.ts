import { type EvidenceIn, isInstant, isNumber, optional } from './evidence-fields.js';
import type { Phrases } from '../language/phrases.js';
import type { UnreportedPills } from '../doses/unreported-pills.js';

/** Pills that left the bottle by its count, while the report of its closing was lost. */
export const UNREPORTED_EVIDENCE = {
  unreported_pills: optional(isNumber),
  /** The report before they left. */
  unreported_from: optional(isInstant),
  /** The report whose count is lower. */
  unreported_until: optional(isInstant),
} as const;

export type UnreportedEvidence = EvidenceIn<typeof UNREPORTED_EVIDENCE>;

/** What evidence says of pills that no closing reported; nothing if there are none. */
export function unreportedIn(unreported: UnreportedPills | undefined): UnreportedEvidence {
  if (!unreported) return {};
  const { pills, from, until } = unreported;
  return { unreported_pills: pills, unreported_from: from, unreported_until: until };
}

/** That they left, for a person; nothing if none did. */
export function unreportedLines(
  { unreported_pills: pills, unreported_from: from, unreported_until: until }: UnreportedEvidence,
  { say, at, pills: pillsText }: Phrases,
): string[] {
  if (pills === undefined || !from || !until) return [];
  return [
    say(
      'By its count, {{pills}} left the bottle between {{from}} and {{until}}. The report of its closing was lost.',
      { pills: pillsText(pills), from: at(from), until: at(until) },
    ),
  ];
}
