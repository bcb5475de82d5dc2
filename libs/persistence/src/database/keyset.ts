import type { QueryFilter } from 'mongoose';

/** The last entry of the previous page. */
interface Last {
  /** The value of the field by which the list is ordered. */
  time: Date | string | number;
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

export type Direction = 1 | -1;

/** Entries of one query, and their order. */
export interface Range<T> {
  filter: QueryFilter<T>;
  sort: Record<string, Direction>;
}

/**
 * The same for a list ordered by any field, then `_id`, as ranges to be read one after the other: with a hinted index,
 * the database would scan an `$or` from the beginning and sort the entries of one value in memory.
 *
 * @param direction 1: smallest or oldest first; of `_id` too
 */
export function ahead<T>(
  filter: QueryFilter<T>,
  field: keyof T & string,
  after: Last | undefined,
  direction: Direction = 1,
): Range<T>[] {
  const sort = { [field]: direction, _id: direction };
  if (!after) return [{ filter, sort }];
  const [tied, later] = beyond(filter, field, after, direction === 1 ? '$gt' : '$lt');
  return [
    { filter: tied, sort: { _id: direction } },
    { filter: later, sort },
  ];
}

function beyond<T>(
  filter: QueryFilter<T>,
  time: keyof T & string,
  last: Last,
  than: '$lt' | '$gt',
): [tied: QueryFilter<T>, beyond: QueryFilter<T>] {
  const ids = (filter as { _id?: object })._id;
  const tied = { ...filter, [time]: last.time, _id: { ...ids, [than]: last.id } };
  const others = { ...filter, [time]: { ...(filter as Record<string, object>)[time], [than]: last.time } };
  return [tied, others];
}
