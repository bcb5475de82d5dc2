import type { Id } from '../bottle-state/bottle-state.js';
import { groupBy } from '../group-by.js';
import { type Message, summarize } from '../messages/message.js';
import type { Delivery } from './delivery.js';
import {
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  notificationEventFacts,
} from './notification-events.js';
import { byOrder } from './order.js';
import { isForOperator } from './persons.js';

/** All notifications of one of these events to one recipient at a time are one message. */
export const SUMMARIZED_EVENTS: readonly NotificationEvent[] = NOTIFICATION_EVENTS.filter(
  (event) => notificationEventFacts(event).summarizes,
);

/** Whether a notification is a part of a summary. */
export function isSummarized({ event }: Pick<Delivery, 'event'>): boolean {
  return SUMMARIZED_EVENTS.includes(event);
}

/** What decides to which summary a notification belongs. */
export type SummaryPart<I extends Id = Id> = Pick<Delivery<I>, 'event' | 'recipient' | 'bottle_id'>;

/** What the parts of one summary have in common: a person gets one summary, the operator and staff one of each bottle. */
export function summaryFields<I extends Id>({
  event,
  recipient,
  bottle_id,
}: SummaryPart<I>): Omit<SummaryPart<I>, 'bottle_id'> & { bottle_id?: I } {
  return isForOperator({ recipient }) ? { event, recipient, bottle_id } : { event, recipient };
}

/**
 * Groups of notifications that are sent one after the other: all to one person of a contact. The operator's receiver is
 * a program and takes many at once, those of one alert in order; so do the browsers of staff. A channel that digests gets all notifications to one recipient
 * as one group; another gets those of a summary as one.
 */
export function chainsOf<D extends Delivery>(deliveries: readonly D[], digests: boolean): D[][][] {
  // a sort of one compares nothing, and a record that cannot be compared is looked for by itself
  for (const delivery of deliveries) byOrder(delivery, delivery);
  const chains = groupBy([...deliveries].sort(byOrder), (delivery) =>
    digests ? delivery.recipient : chainOf(delivery),
  );
  const lists = [...chains.values()];
  return digests ? lists.map((list) => [list]) : lists.map(inMessages);
}

function chainOf(delivery: Delivery): string {
  const { recipient, alert_id, bottle_id, event } = delivery;
  if (!isForOperator(delivery)) return recipient;
  const about = isSummarized(delivery) ? `${event} ${bottle_id.toHexString()}` : alert_id.toHexString();
  return `${recipient} ${about}`;
}

/**
 * Each notification by itself, but a summary as one. What was attempted before is repeated as it was: a receiver that has
 * it drops it by its id, with all that is in it.
 */
function inMessages<D extends Delivery>(deliveries: D[]): D[][] {
  const messages = groupBy(deliveries, (delivery) => {
    const { event, attempts } = delivery;
    return isSummarized(delivery) ? `${event} ${attempts[0]?.at.getTime()}` : delivery;
  });
  return [...messages.values()];
}

/** What is sent: each notification, and those of a summary as one, under the first one's id. */
export function asMessages<N extends { delivery: Delivery; message: Message }>(
  notifications: readonly [N, ...N[]],
): [N, ...N[]] {
  const summaries = SUMMARIZED_EVENTS.flatMap((event) => {
    const [first, ...others] = notifications
      .filter(({ delivery }) => delivery.event === event)
      .sort((one, other) => (one.message.data.subject < other.message.data.subject ? -1 : 1));
    if (!first) return [];
    return [{ ...first, message: summarize([first, ...others].map(({ message }) => message)) }];
  });
  const single = notifications.filter(({ delivery }) => !isSummarized(delivery));
  return [...summaries, ...single] as [N, ...N[]];
}
