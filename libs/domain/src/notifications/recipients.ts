import type { PersonStep } from './escalation.js';
import {
  isForOperator,
  isOperator,
  isStaff,
  OPERATOR,
  type Person,
  personIn,
  type Recipient,
  recipientOf,
  USER,
} from './persons.js';
import type { QuietHours } from './quiet-hours.js';

/** One person and a channel to them. */
export interface Address extends Recipient {
  channel: string;
}

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
  /** The carers, by id. */
  carers?: ReadonlyMap<Person, ReachedPerson<D>> | undefined;
  /** The channels of the operator's notifications. */
  operator: readonly string[];
  /** The staff whose browsers show what the operator is sent, as recipients; absent: nobody. */
  staff?: readonly string[];
}

/** The channel over which browsers show messages. */
export const PUSH = 'push';

/** The browsers of staff that show what the operator is sent: in addition to it, and never in its place. */
export function staffAddresses({ staff = [] }: Addressees): Address[] {
  return staff.map((recipient) => ({ recipient, channel: PUSH }));
}

/** Who a recipient is at the moment; undefined for the operator, and for a person who has left the plan. */
export function personOf<D extends PersonDetails>(
  { recipient }: Recipient,
  { user, carers }: Addressees<D>,
): ReachedPerson<D> | undefined {
  const person = personIn(recipient);
  if (user === undefined || person === undefined || recipient !== recipientOf(person, user.id))
    return undefined;
  return person === USER ? user.person : carers?.get(person);
}

/** By whom a person of a plan is replaced, first to last: those who come next in it; in a carer's place the user last. */
function replacementsFor(to: Person, plan: readonly PersonStep[]): Person[] {
  const persons = plan.map((step) => step.to);
  const next = persons.indexOf(to) + 1;
  const others = [...persons.slice(next), ...persons.slice(0, next)];
  return to === USER ? others : [...others.filter((person) => person !== USER), USER];
}

/**
 * Where something for a person of a plan goes at this moment. Whoever has no address is replaced by the next person of
 * the plan, a carer by the other carers in it and then by the user, and at last by the operator.
 *
 * @param plan the steps of the alert.
 */
export function addressesOf(to: Person, plan: readonly PersonStep[], addressees: Addressees): Address[] {
  for (const person of addressees.user ? new Set([to, ...replacementsFor(to, plan)]) : []) {
    const addresses = addressesOfPerson(recipientOf(person, addressees.user!.id), addressees);
    if (addresses.length > 0) return addresses;
  }
  return [
    ...addressees.operator.map((channel) => ({ recipient: OPERATOR, channel })),
    ...staffAddresses(addressees),
  ];
}

/** Who gets what is for a person of a plan: that person, the next, or the operator; undefined if nobody does. */
export function receiverFor(
  to: Person,
  plan: readonly PersonStep[],
  addressees: Addressees,
): string | undefined {
  const [address] = addressesOf(to, plan, addressees);
  return address && (personIn(address.recipient) ?? OPERATOR);
}

/**
 * Where a notification goes instead, because nobody is reached any more where it was to go, or because the endpoint is
 * deleted or does not want its kind; nowhere if it goes there. Of the same person, and of the operator, the first address;
 * of another person of the plan all.
 */
export function replacementsOf(
  address: Address,
  plan: readonly PersonStep[],
  addressees: Addressees,
): Address[] {
  // nobody stands for a member of staff
  if (isStaff(address)) return [];
  const [channel] = addressees.operator;
  if (isOperator(address))
    return channel === undefined || addressees.operator.includes(address.channel)
      ? []
      : [{ recipient: OPERATOR, channel }];
  if (addressesOfPerson(address.recipient, addressees).some(isSameAddress(address))) return [];
  const addresses = addressesOf(personIn(address.recipient) ?? USER, plan, addressees);
  return addresses.filter((one, index) => index === 0 || isOfAnotherPerson(one, address));
}

/** The first of {@link replacementsOf}; undefined if it goes where it was to go. */
export function replacementOf(
  address: Address,
  plan: readonly PersonStep[],
  addressees: Addressees,
): Address | undefined {
  return replacementsOf(address, plan, addressees)[0];
}

/** Whether an address is that of another person of a plan. */
export function isOfAnotherPerson(address: Recipient, { recipient }: Recipient): boolean {
  return address.recipient !== recipient && !isForOperator(address);
}

/** A notification as if it had moved to where the same person is reached now; unchanged if there is nothing to move. */
export function asReached<T extends Address & { moved_from?: Address[] }>(
  delivery: T,
  plan: readonly PersonStep[],
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
export function addressesOfPerson(recipient: string, addressees: Addressees): Address[] {
  const channels = personOf({ recipient }, addressees)?.channels ?? [];
  return channels.map((channel) => ({ recipient, channel }));
}
