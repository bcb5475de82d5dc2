import type { EscalationStep, EscalationTarget } from './escalation.js';
import type { QuietHours } from './quiet-hours.js';

/** The recipient of everything that has no other: a program of the operator's. */
export const OPERATOR = 'operator';

/** One person and a channel to them. */
export interface Address {
  /** {@link OPERATOR}, `user:ID` or `carer:ID`. */
  recipient: string;
  channel: string;
}

type Recipient = Pick<Address, 'recipient'>;

/** Whether it goes to the operator's program, and to no person. */
export const isOperator = ({ recipient }: Recipient): boolean => recipient === OPERATOR;

/** Whether a recipient is a carer, whoever that is at the moment. */
export const isCarer = ({ recipient }: Recipient): boolean => recipient.startsWith('carer:');

/** Whether a recipient is the user of the bottle. */
export const isUser = ({ recipient }: Recipient): boolean => recipient.startsWith('user:');

/** Whether an address is this one. */
export const isSameAddress =
  ({ recipient, channel }: Address) =>
  (other: Address): boolean =>
    other.recipient === recipient && other.channel === channel;

/** What of a person's contact details decides about their notifications. */
export interface PersonDetails {
  /** IANA name: the zone of the quiet hours. */
  time_zone: string;
  quiet_hours?: QuietHours;
  /** Of a carer: since when it is this person. Absent if it has always been. */
  carer_since?: Date;
}

/** A person of a plan, and over which channels they are reached at the moment. */
export interface ReachedPerson<D extends PersonDetails = PersonDetails> {
  details: D;
  channels: readonly string[];
}

/** Where the persons of a user's alerts are reached at the moment. */
export interface Addressees<D extends PersonDetails = PersonDetails> {
  /** Undefined if nothing is known of the user: then everything goes to the operator. */
  user?: { id: string; person: ReachedPerson<D> } | undefined;
  carer?: ReachedPerson<D> | undefined;
  /** The channels of the operator's notifications. */
  operator: readonly string[];
}

/** Who a recipient is at the moment; undefined for the operator, and for a person who has left the plan. */
export function personOf<D extends PersonDetails>(
  { recipient }: Recipient,
  { user, carer }: Addressees<D>,
): ReachedPerson<D> | undefined {
  if (user === undefined) return undefined;
  if (recipient === recipientOf('carer', user.id)) return carer;
  return recipient === recipientOf('user', user.id) ? user.person : undefined;
}

/** The recipient who is this person of a user's plan. */
export const recipientOf = (person: EscalationTarget, userId: string): string => `${person}:${userId}`;

/**
 * Where something for a person of a plan goes at this moment. Whoever has no address is replaced by the next person of
 * the plan, a carer by the user, and at last by the operator.
 *
 * @param plan the steps of the alert.
 */
export function addressesOf(
  to: EscalationTarget,
  plan: readonly EscalationStep[],
  addressees: Addressees,
): Address[] {
  const replacements: EscalationTarget[] = to === 'carer' ? ['user'] : plan.map((step) => step.to);
  for (const person of addressees.user ? new Set([to, ...replacements]) : []) {
    const addresses = addressesOfPerson(recipientOf(person, addressees.user!.id), addressees);
    if (addresses.length > 0) return addresses;
  }
  return addressees.operator.map((channel) => ({ recipient: OPERATOR, channel }));
}

/** Who gets what is for a person of a plan: that person, the next, or the operator; undefined if nobody does. */
export function receiverFor(
  to: EscalationTarget,
  plan: readonly EscalationStep[],
  addressees: Addressees,
): EscalationTarget | typeof OPERATOR | undefined {
  const [address] = addressesOf(to, plan, addressees);
  if (!address) return undefined;
  if (isOperator(address)) return OPERATOR;
  return isCarer(address) ? 'carer' : 'user';
}

/** Where these steps of a plan go at this moment. */
export function everyoneIn(
  steps: readonly { to: EscalationTarget }[],
  plan: readonly EscalationStep[],
  addressees: Addressees,
): Address[] {
  const targets = new Set(steps.map(({ to }) => to));
  return [...targets].flatMap((to) => addressesOf(to, plan, addressees));
}

/**
 * Where a notification goes instead, because nobody is reached any more where it was to go, or because the endpoint is
 * deleted or does not want its kind; undefined if it goes there.
 */
export function replacementOf(
  address: Address,
  plan: readonly EscalationStep[],
  addressees: Addressees,
): Address | undefined {
  const [channel] = addressees.operator;
  if (isOperator(address))
    return channel === undefined || addressees.operator.includes(address.channel)
      ? undefined
      : { recipient: OPERATOR, channel };
  const isReached = addressesOfPerson(address.recipient, addressees).some(isSameAddress(address));
  return isReached ? undefined : addressesOf(isCarer(address) ? 'carer' : 'user', plan, addressees)[0];
}

/** A notification as if it had moved to where the same person is reached now; unchanged if there is nothing to move. */
export function asReached<T extends Address & { moved_from?: Address[] }>(
  delivery: T,
  plan: readonly EscalationStep[],
  addressees: Addressees,
): T {
  const { recipient, channel, moved_from = [] } = delivery;
  // no endpoint waits for another
  if (isOperator(delivery)) return delivery;
  const replacement = replacementOf(delivery, plan, addressees);
  if (replacement?.recipient !== recipient) return delivery;
  return { ...delivery, ...replacement, moved_from: [...moved_from, { recipient, channel }] };
}

/** The addresses of one person of a plan, and of nobody else. */
function addressesOfPerson(recipient: string, addressees: Addressees): Address[] {
  const channels = personOf({ recipient }, addressees)?.channels ?? [];
  return channels.map((channel) => ({ recipient, channel }));
}
