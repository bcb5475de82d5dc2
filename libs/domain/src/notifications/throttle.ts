import { alertKindFacts } from '../alerts/alert-kinds.js';
import { isCanary } from '../canary/canary.js';
import type { Delivery, DeliveryResult } from './delivery.js';
import { isOperator } from './recipients.js';

/** At most so many messages to a person over a channel within so many seconds. */
export interface RecipientLimit {
  times: number;
  seconds: number;
}

/** Whether the recipient's limit may delay it: once, and no canary's and none of the operator's. */
export function mayBeDelayed(delivery: Delivery): boolean {
  if (isOperator(delivery) || isCanary(delivery.bottle_id)) return false;
  return !delivery.throttled && !alertKindFacts(delivery.kind).unthrottled;
}

/**
 * The delay of notifications that would be sent together; undefined when they are sent now.
 *
 * @param sent when their recipient was sent messages in the window that ends now, oldest first.
 */
export function throttled(
  deliveries: readonly Delivery[],
  sent: readonly Date[],
  limit: RecipientLimit | undefined,
): DeliveryResult | undefined {
  // one that may not be delayed takes the others along
  if (!limit || !deliveries.every(mayBeDelayed)) return undefined;
  const makesRoom = sent[sent.length - limit.times];
  return (
    makesRoom && {
      kind: 'postponed',
      next_attempt_at: new Date(makesRoom.getTime() + limit.seconds * 1_000),
      reason: "delayed: recipient's message limit reached",
      throttled: true,
    }
  );
}
