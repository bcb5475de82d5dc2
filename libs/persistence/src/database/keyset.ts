import type { QueryFilter } from 'mongoose';

/** The last entry of the previous page. */
interface Last {
  time: Date;
  id: unknown;
}

/**
 * Matches what follows an entry in a list ordered by (`time`, `_id`), newest first. Each branch repeats the whole
 * filter, so that an index on (filter, time, _id) bounds it, also among many entries of one instant.
 *
 * @param time the field by which the list is ordered
 * @param before the last entry of the previous page; undefined for the first page
 */
export function behind<T>(
  filter: QueryFilter<T>,
  time: keyof T & string,
  before: Last | undefined,
): QueryFilter<T> {
  return before ? { $or: beyond(filter, time, before, '$lt') } : filter;
}

/** Entries of one query, and their order. */
export interface Range<T> {
  filter: QueryFilter<T>;
  sort: Record<string, 1>;
}

/**
 * The same for a list in the order oldest first, as ranges to be read one after the other: with a hinted index, the
 * database would scan an `$or` from the beginning and sort the entries of one instant in memory.
 */
export function ahead<T>(
  filter: QueryFilter<T>,
  time: keyof T & string,
  after: Last | undefined,
): Range<T>[] {
  const sort = { [time]: 1, _id: 1 } as const;
  if (!after) return [{ filter, sort }];
  const [tied, later] = beyond(filter, time, after, '$gt');
  return [
    { filter: tied, sort: { _id: 1 } },
    { filter: later, sort },
  ];
}

function beyond<T>(
  filter: QueryFilter<T>,
  time: keyof T & string,
  last: Last,
  than: '$lt' | '$gt',
): [tied: QueryFilter<T>, beyond: QueryFilter<T>] {
  const tied = { ...filter, [time]: last.time, _id: { [than]: last.id } };
  const others = { ...filter, [time]: { ...(filter as Record<string, object>)[time], [than]: last.time } };
  return [tied, others];
}
