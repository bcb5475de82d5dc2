import type { QueryFilter } from 'mongoose';
import type { BottleState, StoredBottleState } from './bottle-state.schema.js';

/** Status as staff see it; one bottle has one, the first that applies in this order. */
export const BOTTLE_STATUSES = ['unknown', 'silent', 'late', 'open', 'ok'] as const;
export type BottleStatus = (typeof BOTTLE_STATUSES)[number];

/** The status of a bottle, from its state alone. */
export function statusOf({ quiet, late, open }: Pick<BottleState, 'quiet' | 'late' | 'open'>): BottleStatus {
  if (quiet) return quiet === 'silent' ? 'silent' : 'unknown';
  if (late) return 'late';
  return open ? 'open' : 'ok';
}

const EITHER = { $in: [null, true] };

/**
 * The same rule as {@link statusOf}, as points of the index `by_condition`, and for `open` of `open_bottles`: a field has
 * one value or all of its values, so that the entries come in the order of ids. Of those that are `ok`, few are left out
 * because they are open.
 *
 * @param status all of them when undefined
 */
export function statusFilter(status: BottleStatus | undefined): QueryFilter<StoredBottleState> {
  const filter = ((): Partial<Record<'quiet' | 'late' | 'open', unknown>> => {
    switch (status) {
      case undefined:
        return { quiet: { $in: [null, 'never_heard', 'silent'] }, late: EITHER };
      case 'unknown':
        return { quiet: 'never_heard', late: EITHER };
      case 'silent':
        return { quiet: 'silent', late: EITHER };
      case 'late':
        return { quiet: null, late: true };
      case 'open':
        return { quiet: null, late: null, open: true };
      case 'ok':
        return { quiet: null, late: null, open: null };
    }
  })();
  return filter as QueryFilter<StoredBottleState>;
}
