import { NEWEST, type BottleState as DomainBottleState, type StateChange } from '#domain';
import type { QueryFilter, UpdateQuery } from 'mongoose';
import type { BottleState } from './bottle-state.schema.js';

/** The update that makes a change. @param claim a claim to remove besides */
export function toUpdate(change: StateChange, claim?: keyof BottleState): UpdateQuery<BottleState> {
  const update: UpdateQuery<BottleState> = {};
  const { set, clear, raise, lower, add } = change;
  if (set && !isEmpty(set)) update.$set = set;
  if (clear || claim) {
    const unset: Record<string, ''> = {};
    if (clear) for (const field of clear) unset[field] = '';
    if (claim) unset[claim] = '';
    update.$unset = unset;
  }
  if (raise) update.$max = raise;
  if (lower) update.$min = lower;
  if (add) update.$addToSet = add as never;
  return update;
}

/** Matches the given states to which a change applies: with `ifNewer` those whose value is absent or older. */
export function whereApplicable(_id: unknown, { ifNewer, set }: StateChange): QueryFilter<BottleState> {
  if (!ifNewer) return { _id } as QueryFilter<BottleState>;
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
  return { _id, $or: older } as QueryFilter<BottleState>;
}

/** Matches the states whose phase is `over`, by the domain's `silencePhase`, `openingPhase` and `doseWaitPhase`. */
export const WHERE_OVER = {
  silence: { silent: true, silent_at: { $gt: new Date(0) } },
  opening: { open_alerted: true, open_unchanged: null },
  doseWait: { dose_waiting: true, unheard: null },
} as const satisfies Record<string, QueryFilter<BottleState>>;

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
