import { quietUntil } from '#domain';
import type { AlertKind, Reach } from '#persistence';

/** Kinds that quiet hours do not hold back. */
const CRITICAL_KINDS = new Set<AlertKind>(['extra_dose']);

/** When the recipient's quiet hours that hold a message back at `now` are over; undefined when none do. */
export function heldUntil(kind: AlertKind, reach: Reach | undefined, now: Date): Date | undefined {
  if (!reach?.quiet_hours || CRITICAL_KINDS.has(kind)) return undefined;
  return quietUntil(reach.quiet_hours, reach.time_zone, now);
}
