import type { Addressees } from '#domain';
import { addressOver, type ContactDetails, isHeldBack, isReadByPeople } from './addresses.js';
import type { Contact } from './contact.schema.js';

/**
 * Where the persons of a contact are reached at the moment.
 *
 * @param contact undefined: everything goes to the operator
 * @param channels those that are set up
 * @param now of an address that is refused, or paused by the person, there is none
 */
export function addresseesOf(
  contact: Contact | undefined,
  channels: readonly string[],
  now: Date,
): Addressees<ContactDetails> {
  const reached = (details: ContactDetails) => ({
    details,
    channels: channels.filter(
      (channel) => addressOver(channel, details) !== undefined && !isHeldBack(channel, details, now),
    ),
  });
  return {
    user: contact && { id: contact._id, person: reached(contact) },
    carer: contact?.carer && reached(contact.carer),
    operator: channels.filter((channel) => !isReadByPeople(channel)),
  };
}
