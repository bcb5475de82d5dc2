import { quietUntil } from '#domain';
import type { AlertKind, ContactDetails } from '#persistence';

/** Kinds that quiet hours do not hold back. */
const CRITICAL_KINDS = new Set<AlertKind>(['extra_dose']);

/** When the recipient's quiet hours that hold a message back at `now` are over; undefined when none do. */
export function heldUntil(kind: AlertKind, details: ContactDetails | undefined, now: Date): Date | undefined {
  if (!details?.quiet_hours || CRITICAL_KINDS.has(kind)) return undefined;
  return quietUntil(details.quiet_hours, details.time_zone, now);
}
