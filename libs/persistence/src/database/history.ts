import type { QueryFilter, Types } from 'mongoose';

/** A page of one bottle's history, newest first. Times from `from` up to `to` (exclusive). */
export interface HistoryRange<Id = Types.ObjectId> {
  from: Date;
  to: Date;
  /** The last entry of the page before: this page begins behind it. */
  before?: { time: Date; id: Id } | undefined;
  limit: number;
}

interface Entry {
  _id: Types.ObjectId | string;
}

interface Query<T> extends PromiseLike<T[]> {
  sort(order: Record<string, -1>): Query<T>;
  limit(count: number): Query<T>;
}

/**
 * Reads a page in the order (time, id), newest first, from an index that has the time but not the id: the
 * lab's indexes stay as they are, and no read sorts more than the entries of one millisecond.
 *
 * @param field which field is the time.
 * @param find a bottle's entries by a filter on that field and on `_id`.
 */
export async function newestFirst<T extends Entry>(
  field: keyof T & string,
  { from, to, before, limit }: HistoryRange<T['_id']>,
  find: (filter: QueryFilter<T>) => Query<T>,
): Promise<T[]> {
  const timeOf = (entry: T): number => (entry[field] as Date).getTime();
  const tied = (time: Date, count: number, behind?: T['_id']): Query<T> =>
    find({ [field]: time, ...(behind ? { _id: { $lt: behind } } : {}) })
      .sort({ _id: -1 })
      .limit(count);

  const page =
    before && before.time >= from && before.time < to ? await tied(before.time, limit, before.id) : [];
  if (page.length === limit) return page;
  const until = before && before.time < to ? before.time : to;
  const rest = await find({ [field]: { $gte: from, $lt: until } })
    .sort({ [field]: -1 })
    .limit(limit - page.length);
  const last = rest.at(-1);
  if (!last) return page;
  const whole = rest.filter((entry) => timeOf(entry) > timeOf(last));
  whole.sort((one, other) => timeOf(other) - timeOf(one) || (String(one._id) < String(other._id) ? 1 : -1));
  // the page may end among entries of one moment: those with the greatest ids belong to it
  const end = await tied(last[field] as Date, rest.length - whole.length);
  return [...page, ...whole, ...end];
}
