import { type AlertKind, alertKindFacts, quietUntil } from '#domain';
import type { ContactDetails } from '#persistence';

/** When the recipient's quiet hours that hold a message back at `now` are over; undefined when none do. */
export function heldUntil(kind: AlertKind, details: ContactDetails | undefined, now: Date): Date | undefined {
  if (!details?.quiet_hours || alertKindFacts(kind).critical) return undefined;
  return quietUntil(details.quiet_hours, details.time_zone, now);
}
