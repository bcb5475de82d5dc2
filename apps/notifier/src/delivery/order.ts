import {
  ACTIVE_STATES,
  ALERTING_EVENTS,
  groupBy,
  isTrueOf,
  NOTIFICATION_EVENTS,
  notificationEventFacts,
} from '#domain';
import type { Address, Alert, Delivery } from '#persistence';
import { isSameAddress, OPERATOR } from './recipients.js';

/** Sorts notifications: of one alert, in the order in which their recipient has to get them. */
export function byOrder(one: Delivery, other: Delivery): number {
  return one.created_at.getTime() - other.created_at.getTime() || rankOf(one) - rankOf(other);
}

/** Of what is queued at one moment the start of an alert comes first, and its end last. */
function rankOf({ event }: Delivery): number {
  if (event === 'raised') return 0;
  return ALERTING_EVENTS.includes(event) ? 1 : 2;
}

/** The other notifications of the same alert to the same recipient over the same channel, now or before they moved. */
export function ofSameAddress(delivery: Delivery, all: readonly Delivery[]): Delivery[] {
  const { _id, alert_id } = delivery;
  return all.filter(
    (other) =>
      other._id !== _id &&
      other.alert_id.equals(alert_id) &&
      addressesOf(other).some((address) => addressesOf(delivery).some(isSameAddress(address))),
  );
}

const addressesOf = ({ recipient, channel, moved_from = [] }: Delivery): Address[] => [
  { recipient, channel },
  ...moved_from,
];

/** Which earlier notifications to the same address it has to wait for: they are being sent, or will be. */
export function predecessorsOf(
  delivery: Delivery,
  alert: Alert,
  all: readonly Delivery[],
  now: Date,
): Delivery[] {
  return ofSameAddress(delivery, all).filter(
    (other) =>
      other.status === 'pending' &&
      byOrder(other, delivery) < 0 &&
      (isBeingSentElsewhere(other, delivery, now) || isStillDue(other, alert)),
  );
}

/** What was claimed together is sent in order: here it is the turn of the later one. */
function isBeingSentElsewhere(other: Delivery, delivery: Delivery, now: Date): boolean {
  return isBeingSent(other, now) && other.claim?.token !== delivery.claim?.token;
}

/** Whether a notifier may be sending it at this moment. */
export function isBeingSent({ claim }: Delivery, now: Date): boolean {
  return claim !== undefined && claim.until > now;
}

/** Whether the alert is as the notification says: otherwise it is cancelled when it is due. */
function isStillDue({ event }: Delivery, alert: Alert): boolean {
  if (ALERTING_EVENTS.includes(event)) return ACTIVE_STATES.includes(alert.state);
  return isTrueOf(event, alert);
}

/**
 * Groups of notifications that are sent one after the other: all to one person. The operator's receiver is a program
 * and takes many at once, those of one alert in order. A channel that digests gets all notifications to one recipient
 * as one group; another gets those of a summary as one.
 */
export function chainsOf(deliveries: readonly Delivery[], digests: boolean): Delivery[][][] {
  // a sort of one compares nothing, and a record that cannot be compared is looked for by itself
  for (const delivery of deliveries) byOrder(delivery, delivery);
  const chains = groupBy([...deliveries].sort(byOrder), (delivery) =>
    digests ? delivery.recipient : chainOf(delivery),
  );
  const lists = [...chains.values()];
  return digests ? lists.map((list) => [list]) : lists.map(inMessages);
}

/** The operator gets a summary of each bottle. */
function chainOf({ recipient, alert_id, bottle_id, event }: Delivery): string {
  if (recipient !== OPERATOR) return recipient;
  return isSummarized(event) ? `${event} ${bottle_id.toHexString()}` : alert_id.toHexString();
}

/**
 * Each notification by itself, but a summary as one. What was attempted before is repeated as it was: a receiver that has
 * it drops it by its id, with all that is in it.
 */
function inMessages(deliveries: Delivery[]): Delivery[][] {
  const messages = groupBy(deliveries, (delivery) => {
    const { event, attempts } = delivery;
    return isSummarized(event) ? `${event} ${attempts[0]?.at.getTime()}` : delivery;
  });
  return [...messages.values()];
}

/** All notifications of one of these events to one recipient at a time are one message. */
export const SUMMARIZED_EVENTS = NOTIFICATION_EVENTS.filter(
  (event) => notificationEventFacts(event).summarizes,
);

function isSummarized(event: Delivery['event']): boolean {
  return SUMMARIZED_EVENTS.includes(event);
}
