import { alertKindsThat, DAY_MS, notificationEventFacts } from '#domain';
import type { Delivery } from '#persistence';

/** How long a push service keeps a message about a dose for a browser that is not connected: until the next ones. Seconds. */
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
  return { ttl: DOSE_TTL_S, urgency: ends === undefined || standsAlone ? 'high' : 'normal' };
}
