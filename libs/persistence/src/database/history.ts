import type { Model, QueryFilter, Types } from 'mongoose';

/** A page of one bottle's history, newest first. Times from `from` up to `to` (exclusive). */
export interface HistoryRange<Id = Types.ObjectId> {
  from: Date;
  to: Date;
  /** The last entry of the previous page; this page begins after it. */
  before?: { time: Date; id: Id } | undefined;
  limit: number;
}

interface Entry {
  _id: Types.ObjectId | string;
}

/** The index of a bottle's history, and its time field. */
interface HistoryIndex<T> {
  field: keyof T & string;
  hint: string;
  /** What else holds of an entry. */
  where?: QueryFilter<T>;
}

/**
 * Reads a page in the order (time, id), newest first, from an index that contains the time but not the id. The lab's
 * indexes stay unchanged, and a read sorts only the entries of one millisecond.
 */
export async function newestFirst<T extends Entry>(
  entries: Model<T>,
  { field, hint, where }: HistoryIndex<T>,
  bottleId: Types.ObjectId,
  { from, to, before, limit }: HistoryRange<T['_id']>,
): Promise<T[]> {
  const timeOf = (entry: T): number => (entry[field] as Date).getTime();
  const find = (filter: object, order: Record<string, -1>, count: number): Promise<T[]> =>
    entries
      .find({ bottle_id: bottleId, ...where, ...filter } as QueryFilter<T>)
      .hint(hint)
      .sort(order)
      .limit(count)
      .lean<T[]>();
  const tied = (time: Date, count: number, behind?: T['_id']): Promise<T[]> =>
    find({ [field]: time, ...(behind ? { _id: { $lt: behind } } : {}) }, { _id: -1 }, count);

  const page =
    before && before.time >= from && before.time < to ? await tied(before.time, limit, before.id) : [];
  if (page.length === limit) return page;
  const until = before && before.time < to ? before.time : to;
  const rest = await find({ [field]: { $gte: from, $lt: until } }, { [field]: -1 }, limit - page.length);
  const last = rest.at(-1);
  if (!last) return page;
  const whole = rest.filter((entry) => timeOf(entry) > timeOf(last));
  whole.sort((one, other) => timeOf(other) - timeOf(one) || (String(one._id) < String(other._id) ? 1 : -1));
  // the page may end among entries of one instant; those with the greatest ids belong to it
  const end = await tied(last[field] as Date, rest.length - whole.length);
  return [...page, ...whole, ...end];
}
