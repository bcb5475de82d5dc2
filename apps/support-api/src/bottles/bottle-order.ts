import type { BottleState, StateFilter, StateOrder } from '#persistence';
import { Problem } from '#platform';
import { type ById, type ByTime, Cursors } from '../http/paging.js';

/** The values of `sort`; `-` reverses an order. */
export const BOTTLE_SORTS = [
  'registered',
  '-registered',
  'user_id',
  '-user_id',
  'last_seen',
  '-last_seen',
] as const;
export type BottleSort = (typeof BOTTLE_SORTS)[number];

type Position = ById & Partial<ByTime> & { group?: string };

/** How a list of bottles is ordered, and its cursors: one of another order is refused. */
export interface BottleOrder {
  order: StateOrder;
  descending: boolean;
  cursors: Cursors<Position>;
}

const CURSORS = Object.fromEntries(
  BOTTLE_SORTS.map((sort) => {
    const timed = sort.endsWith('last_seen');
    // a user's id is any text: in a cursor it is encoded
    const groups = sort.endsWith('user_id') ? { groups: ['[\\w-]+'] } : {};
    const list = sort === 'registered' ? 'bottles' : `bottles-${sort}`;
    return [sort, new Cursors<Position>(list, { timed, ...groups })];
  }),
) as Record<BottleSort, Cursors<Position>>;

/**
 * The order of a list. Each order has an index that gives it; with other filters a page would examine many more bottles
 * than it shows.
 *
 * @throws Problem 400 `unsupported_sort`
 */
export function readOrder(sort: BottleSort, filter: StateFilter & { q?: string | undefined }): BottleOrder {
  const { q, status, user_id, medication } = filter;
  const isFiltered = user_id !== undefined || medication !== undefined || q !== undefined;
  if (q !== undefined) throw unsupported('matches of `q` have an order of their own');
  if (sort.endsWith('user_id') && (isFiltered || status !== undefined))
    throw unsupported(`${sort} takes no filter`);
  if (sort.endsWith('last_seen') && (isFiltered || status !== 'silent'))
    throw unsupported(`${sort} requires status=silent and takes no other filter`);
  const descending = sort.startsWith('-');
  return { order: sort.replace('-', '') as StateOrder, descending, cursors: CURSORS[sort] };
}

const unsupported = (why: string): Problem => Problem.field('sort', 'unsupported_sort', `sort: ${why}`);

/** Where a bottle is in its list. */
export function positionIn(
  { order }: BottleOrder,
  { _id: id, user_id, last_heard_at: time }: BottleState,
): Position {
  if (order === 'user_id') return { id, group: Buffer.from(user_id).toString('base64url') };
  return order === 'last_seen' && time ? { id, time } : { id };
}

/** The value of the last bottle of a page, by which the list is ordered. */
export function valueAt({ id, time, group }: Position): { id: typeof id; value?: string | Date } {
  const value = group === undefined ? time : Buffer.from(group, 'base64url').toString();
  return { id, ...(value !== undefined && { value }) };
}
