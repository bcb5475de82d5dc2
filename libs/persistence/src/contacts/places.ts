import { FIRST_CARER, type Person, USER } from '#domain';

type Fields = Readonly<Record<string, unknown>>;

/** Where a contact has the details of persons: of the user, of the first carer, or of the other carers. */
export interface Place {
  /** Of the fields of the persons there, in updates. */
  path: string;
  /** The same in filters: by it an index is found, which it is not by {@link having} of a list. */
  indexed: string;
  /** The filter of contacts with somebody there who has these fields. */
  having: (fields: Fields) => object;
  /** The options of an update that changes those there who have these fields, and nobody else. */
  of: (fields: Fields) => { arrayFilters?: Fields[] };
}

const prefixed = (path: string, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [path + field, value]));

const single = (path: string): Place => ({
  path,
  indexed: path,
  having: (fields) => prefixed(path, fields),
  of: () => ({}),
});

const OF_USER = single('');
const OF_FIRST_CARER = single('carer.');
const OF_OTHERS: Place = {
  path: 'other_carers.$[one].',
  indexed: 'other_carers.',
  having: (fields) => ({ other_carers: { $elemMatch: fields } }),
  of: (fields) => ({ arrayFilters: [prefixed('one.', fields)] }),
};

export const PLACES: readonly Place[] = [OF_USER, OF_FIRST_CARER, OF_OTHERS];

/** Where a person is, and which of those there it is. */
export function placeOf(person: Person): { place: Place; which: Fields } {
  if (person === USER) return { place: OF_USER, which: {} };
  return person === FIRST_CARER
    ? { place: OF_FIRST_CARER, which: {} }
    : { place: OF_OTHERS, which: { id: person } };
}
