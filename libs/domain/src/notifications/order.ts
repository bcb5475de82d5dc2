import { ACTIVE_STATES, type Alert } from '../alerts/alert.js';
import { type Delivery, isBeingSent } from './delivery.js';
import { ALERTING_EVENTS, isTrueOf } from './notification-events.js';
import { isCarer } from './persons.js';
import { type Address, type Addressees, isSameAddress, personOf } from './recipients.js';

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
export function ofSameAddress<D extends Delivery>(delivery: Delivery, all: readonly D[]): D[] {
  const { _id, alert_id } = delivery;
  return all.filter(
    (other) =>
      other._id !== _id &&
      other.alert_id.toHexString() === alert_id.toHexString() &&
      addressesOf(other).some((address) => addressesOf(delivery).some(isSameAddress(address))),
  );
}

const addressesOf = ({ recipient, channel, moved_from = [] }: Delivery): Address[] => [
  { recipient, channel },
  ...moved_from,
];

/** Whether it is another one: what moves to several addresses is the same notification at each. */
export const isAnotherThan =
  ({ step }: Delivery) =>
  (other: Delivery): boolean =>
    other.step !== step;

/** Which earlier notifications to the same address it has to wait for: they are being sent, or will be. */
export function predecessorsOf<D extends Delivery>(
  delivery: Delivery,
  alert: Alert,
  all: readonly D[],
  now: Date,
): D[] {
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

/** Whether the alert is as the notification says: otherwise it is cancelled when it is due. */
function isStillDue({ event }: Delivery, alert: Alert): boolean {
  if (ALERTING_EVENTS.includes(event)) return ACTIVE_STATES.includes(alert.state);
  return isTrueOf(event, alert);
}

/** Whether the carer whom a notification reached is gone, or another person today: that one knows nothing of it. */
export function wasToFormerCarer(delivery: Delivery, addressees: Addressees): boolean {
  if (!isCarer(delivery) || delivery.status === 'pending') return false;
  const carer = personOf(delivery, addressees);
  if (!carer) return true;
  const since = carer.details.carer_since;
  const last = delivery.attempts.at(-1)?.at;
  return since !== undefined && last !== undefined && last < since;
}
