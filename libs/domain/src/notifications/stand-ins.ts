import type { Alert } from '../alerts/alert.js';
import { type Delivery, mayHaveArrived } from './delivery.js';
import type { PersonStep } from './escalation.js';
import { OPERATOR, type Person, personIn, recipientOf } from './persons.js';
import {
  type Address,
  type Addressees,
  addressesOf,
  addressesOfPerson,
  replacementsOf,
} from './recipients.js';

/** Where something goes, and whom its recipient stands for. */
export type OwedAddress = Address & Pick<Delivery, 'stands_for'>;

/** Where what is owed to a person of the plan goes at this moment. */
export function addressesOwed(
  to: Person,
  { escalation, user_id }: Alert,
  addressees: Addressees,
): OwedAddress[] {
  const owed = recipientOf(to, user_id);
  return addressesOf(to, escalation, addressees).map((address) =>
    address.recipient === owed ? address : { ...address, stands_for: owed },
  );
}

/**
 * Where a notification goes instead of where it waits: to whom it is owed, if they can be reached again and it certainly was
 * not sent to whoever stands for them, or else to {@link replacementsOf}.
 *
 * @param named the persons whom the steps of the alert have named so far: what waits for one of them is theirs, too.
 */
export function destinationsOf(
  delivery: Delivery,
  plan: readonly PersonStep[],
  named: readonly Person[],
  addressees: Addressees,
): { to: Address[]; returns?: true } {
  const back = isNoStandIn(delivery, named) ? [] : addressesOfPerson(owedTo(delivery), addressees);
  return back.length > 0 ? { to: back, returns: true } : { to: replacementsOf(delivery, plan, addressees) };
}

/** To whom a notification is owed. */
function owedTo({ stands_for, moved_from, recipient }: Delivery): string {
  return stands_for ?? moved_from?.[0]?.recipient ?? recipient;
}

function isNoStandIn(delivery: Delivery, named: readonly Person[]): boolean {
  return (
    owedTo(delivery) === delivery.recipient ||
    mayHaveArrived(delivery) ||
    named.includes(personIn(delivery.recipient) ?? OPERATOR)
  );
}
