import {
  type EscalationStep,
  FIRST_CARER,
  type Person,
  personIn,
  recipientOf,
  stepsToPersons,
  USER,
} from '#domain';
import type { Carer, ContactDetails } from './addresses.js';
import type { Contact } from './contact.schema.js';

/** The carers of one contact, at most. */
export const MOST_CARERS = 10;

/** The carers of a contact, the first one first. */
export function carersOf({ carer, other_carers = [] }: Pick<Contact, 'carer' | 'other_carers'>): Carer[] {
  return [...(carer ? [{ id: FIRST_CARER, ...carer }] : []), ...other_carers];
}

/** The persons of a contact, as it has them: the user, and the carers. */
export function peopleOf(contact: Contact): readonly (readonly [Person, ContactDetails])[] {
  const { carer, other_carers = [] } = contact;
  return [
    [USER, contact],
    ...(carer ? [[FIRST_CARER, carer] as const] : []),
    ...other_carers.map((other) => [other.id, other] as const),
  ];
}

/**
 * The contact details of a recipient of a user's alerts, as the contact has them; undefined for the operator, or when
 * they were removed.
 */
export function contactDetailsOf(
  recipient: string,
  contact: Contact | undefined,
): ContactDetails | undefined {
  const person = personIn(recipient);
  if (!contact || person === undefined || recipient !== recipientOf(person, contact._id)) return undefined;
  return peopleOf(contact).find(([id]) => id === person)?.[1];
}

/** The escalation of a contact in steps to persons; undefined if it has the default. */
export function policyOf(contact: Contact | undefined): EscalationStep[] | undefined {
  return contact?.escalation && stepsToPersons(contact.escalation, carersOf(contact));
}
