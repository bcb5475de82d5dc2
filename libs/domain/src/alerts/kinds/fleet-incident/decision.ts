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

/** What of a fleet incident decides about its notifications. */
export interface IncidentFacts {
  open?: boolean | undefined;
  decision?: IncidentDecision | undefined;
  /** Dismissed by an earlier version. */
  dismissed?: boolean | undefined;
}

/** What staff decided; undefined while they have not. */
export function decisionOf({ decision, dismissed }: IncidentFacts): Decision | undefined {
  return decision?.outcome ?? (dismissed ? 'dismissed' : undefined);
}

/**
 * What an incident means for the notifications of its silences. Before it has ended nothing is cancelled, so that
 * every decision can be withdrawn until something is sent.
 */
export function inhibitionBy(incident: IncidentFacts, now: Date): 'held' | 'cancelled' | undefined {
  const outcome = decisionOf(incident);
  if (!incident.open) return outcome === 'dismissed' ? 'cancelled' : undefined;
  return outcome === 'confirmed' && incident.decision!.takes_effect_at <= now ? undefined : 'held';
}
