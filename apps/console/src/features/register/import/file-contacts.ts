import type { Contact, ContactDetails } from '../../../api/schema.js';
import { DEFAULT_STEPS, FIRST_CARER, MOST_CARERS } from '../../bottle/contacts/carers.js';
import { csvCell } from './csv-files.js';
import { delimiterOf, fieldsOf, linesIn, recordsOf } from './csv-parts.js';

/** The columns of a person's contact and of their first carer's; of further carers they begin with `carer_2_` and so on. */
export const CONTACT_COLUMNS = [
  'name',
  'phone',
  'email',
  'carer_name',
  'carer_phone',
  'carer_email',
] as const;
/** What each person has. */
const DETAILS = ['name', 'phone', 'email'] as const;
const PREFIXES = ['carer_', ...Array.from({ length: MOST_CARERS - 1 }, (_, index) => `carer_${index + 2}_`)];
const ALL_COLUMNS: ReadonlySet<string> = new Set(
  ['', ...PREFIXES].flatMap((prefix) => DETAILS.map((name) => prefix + name)),
);
/** After so long, and again after so long, the next carer is notified. Minutes. */
const STEP_MINUTES = 30;

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
  const isOfContact = (name: string): boolean => ALL_COLUMNS.has(name);
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
    if ([...ALL_COLUMNS].some((name) => cell(name) !== '') && !contacts.has(user))
      contacts.set(user, { line, user_id: user, contact: contactOf(cell) });
    line += linesIn(record);
  }
  return { csv, contacts: [...contacts.values()] };
}

function contactOf(cell: (name: string) => string): Partial<Contact> {
  const time_zone = cell('time_zone');
  const zone = time_zone !== '' && { time_zone };
  const detailsOf = (prefix: string): ContactDetails =>
    Object.fromEntries(DETAILS.map((name) => [name, cell(prefix + name)]).filter(([, text]) => text !== ''));
  const carers = PREFIXES.map(detailsOf)
    .filter((details) => Object.keys(details).length > 0)
    .map((details, index) => ({
      ...details,
      ...zone,
      id: index === 0 ? FIRST_CARER : `${FIRST_CARER}-${index + 1}`,
    }));
  return {
    ...detailsOf(''),
    ...zone,
    ...(carers.length > 0 && {
      carers,
      escalation: [
        ...DEFAULT_STEPS,
        // one after another
        ...carers.map(({ id }, index) => ({ after: `${(index + 1) * STEP_MINUTES}m`, to: id })),
      ],
    }),
  };
}

/** As it was: what looks like a formula stays one, for the server to read. */
const quoted = (cell: string, delimiter: string): string =>
  csvCell(cell, delimiter).replace(/^("?)'/, cell.startsWith("'") ? "$1'" : '$1');

const endOf = (record: string): string => /\r?\n?$/.exec(record)![0];
