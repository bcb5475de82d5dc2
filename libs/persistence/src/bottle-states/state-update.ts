import { type ClaimField, NEWEST, type BottleState as DomainBottleState, type StateChange } from '#domain';
import type { QueryFilter, UpdateQuery } from 'mongoose';
import type { StoredBottleState } from './bottle-state.schema.js';
import { isPhase, removedBy, toStored, wherePhase } from './phases.js';

/** The update that makes a change. @param claim a claim to remove besides */
export function toUpdate(change: StateChange, claim?: ClaimField): UpdateQuery<StoredBottleState> {
  const update: UpdateQuery<StoredBottleState> = {};
  const { set, raise, lower, add } = change;
  if (set && !isEmpty(set)) update.$set = toStored(set);
  const unset = removedBy(change);
  if (claim) unset[claim] = '';
  if (!isEmpty(unset)) update.$unset = unset;
  if (raise) update.$max = raise;
  if (lower) update.$min = lower;
  if (add) {
    const sets = Object.entries(add).map(([field, values]) => [field, { $each: values }]);
    update.$addToSet = Object.fromEntries(sets) as never;
  }
  return update;
}

/** Matches the given states to which a change applies: with `ifNewer` those whose value is absent or older. */
export function whereApplicable(_id: unknown, { ifNewer, set }: StateChange): QueryFilter<StoredBottleState> {
  if (!ifNewer) return { _id } as QueryFilter<StoredBottleState>;
  const value = set![ifNewer] as unknown as Record<string, unknown>;
  const older: Record<string, unknown>[] = [{ [ifNewer]: { $exists: false } }];
  const parts = NEWEST[ifNewer];
  for (const [index, { field, values }] of parts.entries()) {
    const lower = values ? values.slice(0, values.indexOf(value[field] as string)) : undefined;
    if (lower?.length === 0) continue;
    // the fields before are equal, and this one decides
    const branch: Record<string, unknown> = {};
    for (let before = 0; before < index; before += 1)
      branch[`${ifNewer}.${parts[before]!.field}`] = value[parts[before]!.field];
    branch[`${ifNewer}.${field}`] = lower ? { $in: lower } : { $lt: value[field] };
    older.push(branch);
  }
  return { _id, $or: older } as QueryFilter<StoredBottleState>;
}

/**
 * As {@link whereApplicable}, without those that differ in a later field only. One comparison costs the database much less
 * than the whole rule, which it plans branch by branch (docs/performance.md).
 */
export function whereOlder(_id: unknown, { ifNewer, set }: StateChange): QueryFilter<StoredBottleState> {
  if (!ifNewer) return { _id } as QueryFilter<StoredBottleState>;
  const { field } = NEWEST[ifNewer][0]!;
  const value = (set![ifNewer] as unknown as Record<string, unknown>)[field];
  return { _id, [`${ifNewer}.${field}`]: { $not: { $gte: value } } } as QueryFilter<StoredBottleState>;
}

/** Matches the states whose fields still have the values that were seen; undefined for an absent field. */
export function whereStill(seen: Partial<DomainBottleState>): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(seen))
    if (isPhase(field)) Object.assign(filter, wherePhase(field, seen[field]));
    else filter[field] = value === undefined ? { $exists: false } : value;
  return filter;
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
