import { NEWEST, type BottleState as DomainBottleState, type StateChange } from '#domain';
import type { QueryFilter, UpdateQuery } from 'mongoose';
import type { BottleState } from './bottle-state.schema.js';

/** The update that makes a change. @param clear fields to remove besides */
export function toUpdate(change: StateChange, ...clear: (keyof BottleState)[]): UpdateQuery<BottleState> {
  const update: UpdateQuery<BottleState> = {};
  const removed: (keyof BottleState)[] = change.clear ? [...change.clear, ...clear] : clear;
  if (change.set && !isEmpty(change.set)) update.$set = change.set;
  if (removed.length > 0) update.$unset = Object.fromEntries(removed.map((field) => [field, '']));
  if (change.raise) update.$max = change.raise;
  if (change.lower) update.$min = change.lower;
  if (change.add) update.$addToSet = { unjudged_removals: change.add } as never;
  return update;
}

/** Matches the states that a change is for, by what the change itself says; the ids are for the caller to add. */
export function whereApplicable({ ifNewer, set }: StateChange): QueryFilter<BottleState> {
  if (!ifNewer) return {};
  const value = set![ifNewer] as unknown as Record<string, unknown>;
  // in each branch the fields before are equal, and one field decides
  const older: Record<string, unknown>[] = [];
  const equal: Record<string, unknown> = {};
  for (const [part, order] of NEWEST[ifNewer]) {
    const field = `${ifNewer}.${part}`;
    older.push({ ...equal, [field]: { [order === 'ascending' ? '$lt' : '$gt']: value[part] } });
    equal[field] = value[part];
  }
  return { $or: [{ [ifNewer]: { $exists: false } }, ...older] };
}

/** Matches the states whose fields still have the values that were seen; undefined for an absent field. */
export function whereStill(seen: Partial<DomainBottleState>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(seen).map(([field, value]) => [field, value === undefined ? { $exists: false } : value]),
  );
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
