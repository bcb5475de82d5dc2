import type { Addressees } from '#domain';
import { addressOver, type ContactDetails, isReadByPeople } from './addresses.js';
import type { Contact } from './contacts.repository.js';

/**
 * Where the persons of a contact are reached at the moment.
 *
 * @param contact undefined: everything goes to the operator
 * @param channels those that are set up
 */
export function addresseesOf(
  contact: Contact | undefined,
  channels: readonly string[],
): Addressees<ContactDetails> {
  const reached = (details: ContactDetails) => ({
    details,
    channels: channels.filter((channel) => addressOver(channel, details) !== undefined),
  });
  return {
    user: contact && { id: contact._id, person: reached(contact) },
    carer: contact?.carer && reached(contact.carer),
    operator: channels.filter((channel) => !isReadByPeople(channel)),
  };
}
