import { personIn } from '#domain';
import { type Contact, contactDetailsOf } from '#persistence';

/**
 * The name of who did something at a moment: of a person of the contact as that has it, of staff as it is recorded. Undefined
 * of a person without a name, and of another carer than that of today.
 */
export function nameOfActor(by: string, at: Date, contact: Contact | undefined): string | undefined {
  if (personIn(by) === undefined) return by;
  const details = contactDetailsOf(by, contact);
  const isOther = details?.carer_since !== undefined && details.carer_since > at;
  return isOther ? undefined : details?.name;
}
