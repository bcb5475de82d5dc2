/** The recipient of everything that has no other: a program of the operator's. */
export const OPERATOR = 'operator';
/** The person who takes the pills, in plans. */
export const USER = 'user';
/** The id of the first carer. */
export const FIRST_CARER = 'carer';

/** Who a person of a contact is. */
export const PERSON_ROLES = ['user', 'carer'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** A person of a plan: {@link USER}, or the id of a carer. */
export type Person = string;

/** What an id of a carer looks like: it is a part of a {@link Recipient}. */
export const CARER_ID = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/**
 * Whom a notification is for: {@link OPERATOR}, `staff:ID` of an account, `user:USERID`, `carer:USERID` of the first
 * carer, or `carer.ID:USERID`.
 */
export interface Recipient {
  recipient: string;
}

const PERSON = /^(user|carer(?:\.([^:]+))?):(.*)$/s;

/** The recipient who is this person of a user's contact. */
export function recipientOf(person: Person, userId: string): string {
  const isKnown = person === USER || person === FIRST_CARER;
  return `${isKnown ? person : `carer.${person}`}:${userId}`;
}

/** The person of a contact who is a recipient; undefined for the operator and for staff. */
export function personIn(recipient: string): Person | undefined {
  const [, role, id] = PERSON.exec(recipient) ?? [];
  return id ?? role;
}

/** The user whose contact a recipient belongs to; undefined for the operator and for staff, and for what is no recipient. */
export const userIn = (recipient: string): string | undefined => PERSON.exec(recipient)?.[3];

/** What matches the recipients of a user's contact, and nobody else's, whichever carers there are or were. */
export function recipientsOf(userId: string): RegExp {
  // as MongoDB reads it, too: no special character of the id has its meaning
  return new RegExp(`^(user|carer(\\.[^:]+)?):${userId.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`);
}

/** Whether it goes to the operator's program, and to no person. */
export const isOperator = ({ recipient }: Recipient): boolean => recipient === OPERATOR;

const STAFF = 'staff:';

/** The recipient who is a member of staff. @param id of the account, hex */
export const staffRecipient = (id: string): string => STAFF + id;

/** Whether it goes to the browsers of a member of staff: what the operator is sent, too. */
export const isStaff = ({ recipient }: Recipient): boolean => recipient.startsWith(STAFF);

/** The account that is a recipient, hex; undefined for anyone else. */
export const staffIn = (recipient: string): string | undefined =>
  isStaff({ recipient }) ? recipient.slice(STAFF.length) : undefined;

/** Whether it is for nobody of a contact: for the operator's program, or for staff. */
export const isForOperator = (to: Recipient): boolean => isOperator(to) || isStaff(to);

/** Whether a recipient is the user of the bottle. */
export const isUser = ({ recipient }: Recipient): boolean => recipient.startsWith('user:');

/** Whether a recipient is a carer, whoever that is at the moment. */
export const isCarer = ({ recipient }: Recipient): boolean => /^carer[.:]/.test(recipient);
