import type { Id } from '../ids/id.js';

/**
 * A time [from, until) in which a bottle has no plan of its own: the pills in it are for the plan of another bottle of the
 * same person and medication, such as one at work beside the one at home.
 */
export interface SharedPlan<I extends Id = Id> {
  /** The bottle that has the plan. */
  of: I;
  from: Date;
  /** Absent while it lasts. */
  until?: Date;
}

type Shared<I extends Id> = readonly SharedPlan<I>[];

/** Whether an instant is in a time. */
export const isWithin = ({ from, until }: Pick<SharedPlan, 'from' | 'until'>, at: Date): boolean =>
  from <= at && (until === undefined || at < until);

/** The plan of another bottle that a bottle is for at an instant. */
export function sharedPlanAt<I extends Id>(
  shared: Shared<I> | undefined,
  at: Date,
): SharedPlan<I> | undefined {
  return shared?.find((each) => isWithin(each, at));
}

/** The plan of another bottle that a bottle is for now. */
export function lastingPlan<I extends Id>(shared: Shared<I> | undefined): SharedPlan<I> | undefined {
  return shared?.find(({ until }) => until === undefined);
}

/** The times in which a bottle was for this bottle's plan. */
export function sharedWith<I extends Id>(shared: Shared<I> | undefined, leader: Id): SharedPlan<I>[] {
  return (shared ?? []).filter(({ of }) => of.toHexString() === leader.toHexString());
}

/** The times of a bottle that is for no other bottle's plan from an instant on. */
export function endSharedPlan<I extends Id>(shared: Shared<I>, at: Date): SharedPlan<I>[] {
  return shared.map((each) =>
    each.until === undefined ? { ...each, until: at > each.from ? at : each.from } : each,
  );
}
