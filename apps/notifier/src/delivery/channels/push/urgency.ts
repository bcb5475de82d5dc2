import { alertKindsThat, DAY_MS, HOUR_MS, notificationEventFacts } from '#domain';
import type { Delivery } from '#persistence';

/** How long a push service keeps a reminder of a dose for a browser that is not connected: later, others say more. Seconds. */
const REMINDER_TTL_S = HOUR_MS / 1_000;
/** A message about a dose: until the next ones. Seconds. */
const DOSE_TTL_S = DAY_MS / 1_000;
/** Any other: as long as its link can be used. Seconds. */
const OTHER_TTL_S = (3 * DAY_MS) / 1_000;

const NEVER_WAITS = alertKindsThat('unthrottled');

/**
 * How urgent a message is to a push service (RFC 8030, 5.3): a start, a reminder or a new fact of a kind that never waits
 * wakes a device that saves its battery; an end does not.
 */
export function urgencyOf({ kind, event }: Pick<Delivery, 'kind' | 'event'>): {
  ttl: number;
  urgency: 'normal' | 'high';
} {
  if (!NEVER_WAITS.includes(kind)) return { ttl: OTHER_TTL_S, urgency: 'normal' };
  const { ends, standsAlone } = notificationEventFacts(event);
  const ttl = kind === 'dose_reminder' ? REMINDER_TTL_S : DOSE_TTL_S;
  return { ttl, urgency: ends === undefined || standsAlone ? 'high' : 'normal' };
}
