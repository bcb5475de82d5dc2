import { type AlertEnding, type AlertKind, endingsOf } from './alert-kinds.js';
import type { Closing } from './closing.js';

/** What of an alert tells how it ended. */
export interface EndingFacts {
  kind: AlertKind;
  state: string;
  evidence: Record<string, unknown>;
  closing?: Closing | undefined;
}

/** How the alert ended; undefined while it is open or acknowledged. */
export function endingOf({ kind, state, evidence, closing }: EndingFacts): AlertEnding | undefined {
  if (state === 'retracted') return 'retracted';
  if (state === 'closed') return 'closed_by_staff';
  if (state !== 'resolved') return undefined;
  return endingsOf(kind)?.of(evidence) ?? (closing && 'closed_by_staff');
}
