import { ALERT_KIND_TABLE, type AlertKindEntry } from './alert-kinds.js';
import { type Evidence, EvidenceReader } from './evidence-reader.js';

/** An alert's evidence as sentences: what the rule saw, and the numbers by which it decided. */
export function whySentences(evidence: Evidence, zone: string, present: number): string[] {
  const kinds: AlertKindEntry[] = Object.values(ALERT_KIND_TABLE);
  const read = new EvidenceReader(evidence, zone, present);
  const raised = kinds.flatMap(({ why }) => why?.[read.rule]?.(read) ?? []);
  // several kinds may have the same sentence
  const later = new Set(kinds.flatMap(({ whyEnded }) => whyEnded?.(read) ?? []));
  return [...raised, ...later, ...read.others()];
}
