/** A receiver of webhooks beside that of the settings, which takes everything. */
export interface EndpointPlan {
  name: string;
  /** The kinds of alerts that it wants; without them all. */
  kinds?: string[];
  /** The types of messages that it wants, `alert.raised`; without them all. */
  events?: string[];
}

/** Whether what is for the webhook is one at this endpoint, too (HOOK-1). */
export function isWantedAt({ kinds, events }: EndpointPlan, kind: string, event: string): boolean {
  return (!kinds || kinds.includes(kind)) && (!events || events.includes(`alert.${event}`));
}
