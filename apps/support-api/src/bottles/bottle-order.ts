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
  'next_dose',
  '-next_dose',
  'battery',
  '-battery',
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
    const timed = sort.endsWith('last_seen') || sort.endsWith('next_dose');
    // a user's id is any text: in a cursor it is encoded
    const group = sort.endsWith('user_id') ? '[\\w-]+' : sort.endsWith('battery') ? '\\d{1,3}' : undefined;
    const groups = group === undefined ? {} : { groups: [group] };
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
  const { q, status, user_id, medication, life } = filter;
  const isFiltered = user_id !== undefined || medication !== undefined || q !== undefined;
  if (q !== undefined) throw unsupported('matches of `q` have an order of their own');
  if (life !== 'in_use' && !sort.endsWith('registered')) throw unsupported(`${sort} has only bottles in use`);
  if (/(user_id|next_dose|battery)$/.test(sort) && (isFiltered || status !== undefined))
    throw unsupported(`${sort} takes no filter`);
  if (sort.endsWith('last_seen') && (isFiltered || status !== 'silent'))
    throw unsupported(`${sort} requires status=silent and takes no other filter`);
  const descending = sort.startsWith('-');
  return { order: sort.replace('-', '') as StateOrder, descending, cursors: CURSORS[sort] };
}

const unsupported = (why: string): Problem => Problem.field('sort', 'unsupported_sort', `sort: ${why}`);

/** Where a bottle is in its list; nowhere if its record is damaged. */
export function positionIn(
  { order }: BottleOrder,
  { _id: id, user_id, last_heard_at, next_dose_at, battery_percent }: BottleState,
): Position {
  if (order === 'battery') return { id, group: String(battery_percent) };
  const time = order === 'next_dose' ? next_dose_at : last_heard_at;
  if (order === 'user_id')
    return typeof user_id === 'string' ? { id, group: Buffer.from(user_id).toString('base64url') } : { id };
  return (order === 'last_seen' || order === 'next_dose') && time ? { id, time } : { id };
}

/** The value of the last bottle of a page, by which the list is ordered. */
export function valueAt(
  { order }: BottleOrder,
  { id, time, group }: Position,
): { id: typeof id; value?: string | Date | number } {
  const ofGroup = (text: string): string | number =>
    order === 'battery' ? Number(text) : Buffer.from(text, 'base64url').toString();
  const value = group === undefined ? time : ofGroup(group);
  return { id, ...(value !== undefined && { value }) };
}
