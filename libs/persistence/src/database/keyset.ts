import type { QueryFilter } from 'mongoose';

/**
 * What lies behind an entry in a list ordered by (`time`, `_id`), newest first. Each branch names the whole filter,
 * so that an index on (filter, time, _id) bounds it: many entries of one moment are never walked again.
 *
 * @param time the field by which the list is ordered
 * @param before the last entry of the page before; the beginning of the list when undefined
 */
export function behind<T>(
  filter: QueryFilter<T>,
  time: keyof T & string,
  before: { time: Date; id: unknown } | undefined,
): QueryFilter<T> {
  if (!before) return filter;
  return {
    $or: [
      { ...filter, [time]: before.time, _id: { $lt: before.id } },
      { ...filter, [time]: { ...(filter as Record<string, object>)[time], $lt: before.time } },
    ],
  };
}
