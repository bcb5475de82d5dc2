/** How long a decision about a fleet incident can be withdrawn before its notifications are sent. Milliseconds. */
export const DECISION_HOLD_MS = 60_000;

export const DECISIONS = ['confirmed', 'dismissed'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What staff decided about a fleet incident. */
export interface IncidentDecision {
  /** `confirmed`: people are notified. `dismissed`: the fault is ours, and nobody is. */
  outcome: Decision;
  by: string;
  at: Date;
  /** From then on the notifications of a confirmed incident are sent. */
  takes_effect_at: Date;
}
