import { useQuery } from '@tanstack/react-query';
import { isStatus } from '../../api/http.js';
import { requestVersioned, type Versioned } from '../../api/request.js';
import type { Contact, ContactDetails } from '../../api/schema.js';
import { carerName, carersOf } from '../bottle/contacts/carers.js';
import { addressProblemTexts } from '../bottle/contacts/address-problems.js';
import classes from './ContactLine.module.css';
import { t } from '../../i18n/i18n.js';

export const contactPath = (userId: string): string => `/v1/contacts/${encodeURIComponent(userId)}`;

/** A user's contact; null if there is none. */
export function useContact(userId: string) {
  return useQuery({
    queryKey: ['contact', userId],
    queryFn: ({ signal }) => readContact(contactPath(userId), signal),
  });
}

/** A contact, to change it on condition that it is still as it was; null if there is none. */
export async function readContact(path: string, signal?: AbortSignal): Promise<Versioned<Contact> | null> {
  try {
    return await requestVersioned<Contact>('GET', path, signal && { signal });
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

/** Whom to call about a user's bottle, where the page itself knows only their id; nothing until it is loaded. */
export function PeopleToCall({ userId }: { userId: string }) {
  const { data } = useContact(userId);
  if (!data) return null;
  const { carer: _first, carers = [], ...user } = data;
  const canCall = carers.some(({ name, phone }) => (name ?? phone) !== undefined);
  return (
    <span className={classes['line']}>
      {user.name && <strong>{user.name}</strong>}
      <ContactLine contact={canCall ? data : user} />
    </span>
  );
}

/** The phone of a user, and the names and phones of the carers. */
export function ContactLine({ contact }: { contact: Contact }) {
  const carers = carersOf(contact);
  return (
    <>
      {addressProblemTexts(contact).map((problem) => (
        <strong key={problem}>{problem}</strong>
      ))}
      <Phone of={contact} />
      {carers.map((carer) => (
        <span key={carer.id}>
          {t('Carer: {{name}}', { name: carerName(carer) })} <Phone of={carer} />
        </span>
      ))}
    </>
  );
}

function Phone({ of }: { of: ContactDetails }) {
  return of.phone === undefined ? null : <a href={`tel:${of.phone.replaceAll(/[^+\d]/g, '')}`}>{of.phone}</a>;
}
