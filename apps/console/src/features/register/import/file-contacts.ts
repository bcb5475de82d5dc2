import type { Contact, ContactDetails, EscalationStep } from '../../../api/schema.js';
import { csvCell } from './csv-files.js';
import { delimiterOf, fieldsOf, linesIn, recordsOf } from './csv-parts.js';

/** The columns of a person's contact and of their carer's. */
export const CONTACT_COLUMNS = [
  'name',
  'phone',
  'email',
  'carer_name',
  'carer_phone',
  'carer_email',
] as const;
type ContactColumn = (typeof CONTACT_COLUMNS)[number];

/** As when a carer is given in the list of bottles. */
const WITH_CARER: EscalationStep[] = [
  { after: '0m', to: 'user' },
  { after: '30m', to: 'carer' },
];

/** The contact of a person, as the first line has it that has any of it. */
export interface FileContact {
  line: number;
  user_id: string;
  contact: Partial<Contact>;
}

/**
 * Takes the contacts out of a file of bottles. What is left has the same lines, as the import of bottles takes it; a file
 * without such columns stays as it is.
 */
export function splitContacts(text: string): { csv: string; contacts: FileContact[] } {
  const [head = '', ...records] = recordsOf(text);
  const delimiter = delimiterOf(head);
  const columns = fieldsOf(head.replace(/^\uFEFF/, ''), delimiter);
  const isOfContact = (name: string): boolean => (CONTACT_COLUMNS as readonly string[]).includes(name);
  if (!columns.some(isOfContact)) return { csv: text, contacts: [] };
  const kept = (fields: readonly string[]): string =>
    fields
      // what a line has too much or too little is for the server to refuse
      .filter((_, place) => !isOfContact(columns[place] ?? ''))
      .map((cell) => quoted(cell, delimiter))
      .join(delimiter);
  const contacts = new Map<string, FileContact>();
  let csv = kept(columns) + endOf(head);
  let line = linesIn(head) + 1;
  for (const record of records) {
    const fields = fieldsOf(record, delimiter);
    csv += kept(fields) + endOf(record);
    const cell = (name: string): string => fields[columns.indexOf(name)] ?? '';
    const user = cell('user_id');
    if (CONTACT_COLUMNS.some((name) => cell(name) !== '') && !contacts.has(user))
      contacts.set(user, { line, user_id: user, contact: contactOf(cell) });
    line += linesIn(record);
  }
  return { csv, contacts: [...contacts.values()] };
}

function contactOf(cell: (name: ContactColumn | 'time_zone') => string): Partial<Contact> {
  const time_zone = cell('time_zone');
  const zone = time_zone !== '' && { time_zone };
  const carer = detailsOf({
    name: cell('carer_name'),
    phone: cell('carer_phone'),
    email: cell('carer_email'),
  });
  return {
    ...detailsOf({ name: cell('name'), phone: cell('phone'), email: cell('email') }),
    ...zone,
    ...(Object.keys(carer).length > 0 && { carer: { ...carer, ...zone }, escalation: WITH_CARER }),
  };
}

const detailsOf = (cells: Record<'name' | 'phone' | 'email', string>): ContactDetails =>
  Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== ''));

/** As it was: what looks like a formula stays one, for the server to read. */
const quoted = (cell: string, delimiter: string): string =>
  csvCell(cell, delimiter).replace(/^("?)'/, cell.startsWith("'") ? "$1'" : '$1');

const endOf = (record: string): string => /\r?\n?$/.exec(record)![0];
