import type { Alert } from '../../alert.js';
import type { Decision } from './decision.js';

/** What of a fleet incident decides about its notifications. */
type Incident = Pick<Alert<'fleet_incident'>, 'open' | 'decision' | 'dismissed'>;

/** What staff decided; undefined while they have not. */
export function decisionOf({ decision, dismissed }: Incident): Decision | undefined {
  return decision?.outcome ?? (dismissed ? 'dismissed' : undefined);
}

/**
 * What an incident means for the notifications of its silences. Before it has ended nothing is cancelled, so that
 * every decision can be withdrawn until something is sent.
 */
export function inhibitionBy(incident: Incident, now: Date): 'held' | 'cancelled' | undefined {
  const outcome = decisionOf(incident);
  if (!incident.open) return outcome === 'dismissed' ? 'cancelled' : undefined;
  return outcome === 'confirmed' && incident.decision!.takes_effect_at <= now ? undefined : 'held';
}
