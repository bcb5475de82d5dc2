import type { Id } from '../ids/id.js';
import type { Removal } from './match.js';
import { withOpenings } from './openings.js';
import { withReceipts } from './receipts.js';
import { isWithin, type SharedPlan, sharedPlanAt } from './shared-plan.js';

/** The bottles of a plan: the one that has it, and the further ones. */
interface PlanBottles<I extends Id> {
  bottle: { _id: I; shared_plans?: readonly SharedPlan[] };
  members: readonly Member<I>[];
}

interface Member<I extends Id> {
  bottle: { _id: I };
  shared: readonly SharedPlan[];
}

/** Those that are for the plan at an instant. */
export const membersAt = <M extends Member<Id>>(members: readonly M[], at: Date): M[] =>
  members.filter(({ shared }) => shared.some((each) => isWithin(each, at)));

/** The bottles of a plan, and whether what was removed from them at a time is of the plan. The one that has it is first. */
export function bottlesOfPlan<I extends Id>({
  bottle,
  members,
}: PlanBottles<I>): { id: I; isOfPlan: (at: Date) => boolean }[] {
  return [
    { id: bottle._id, isOfPlan: (at) => !sharedPlanAt(bottle.shared_plans, at) },
    ...members.map((member) => ({
      id: member.bottle._id,
      isOfPlan: (at: Date) => membersAt([member], at).length > 0,
    })),
  ];
}

/** From when on the log of each bottle of these plans is read: once for each bottle, though several plans may ask for it. */
export function sinceOfPlans<P extends PlanBottles<Id>>(
  plans: readonly P[],
  timeOf: (plan: P) => Date | undefined,
): { bottle_id: P['bottle']['_id']; since: Date }[] {
  const all = new Map<string, { bottle_id: P['bottle']['_id']; since: Date }>();
  for (const plan of plans) {
    const since = timeOf(plan);
    if (!since) continue;
    for (const { id } of bottlesOfPlan<P['bottle']['_id']>(plan)) {
      const known = all.get(id.toHexString());
      if (!known || since < known.since) all.set(id.toHexString(), { bottle_id: id, since });
    }
  }
  return [...all.values()];
}

/** What was read from the logs of the bottles, by their ids in hex. */
interface ReadRemovals {
  removed: ReadonlyMap<string, readonly { time: Date; pills_taken: number }[]>;
  /** When actions were received, of bottles of which it matters. */
  receipts?: ReadonlyMap<string, readonly { time: Date; received_at: Date }[]>;
  /** Of bottles of which it matters when they were opened. */
  openings?: ReadonlyMap<string, readonly { time: Date; action: 'opened' | 'closed' }[]>;
}

/** What was removed from the bottles of a plan from a time on, as far as it is of the plan; nothing without a time. */
export function removalsOfPlan(
  plan: PlanBottles<Id>,
  since: Date | undefined,
  { removed, receipts, openings }: ReadRemovals,
): Removal[] {
  if (!since) return [];
  return bottlesOfPlan(plan).flatMap(({ id, isOfPlan }, bottle) => {
    const own = id.toHexString();
    // the log's covered query returns no id; two removals at one moment are distinguished by their position
    const removals = (removed.get(own) ?? []).map(({ time, pills_taken }, index): Removal => ({
      id: bottle === 0 ? String(index) : `${bottle}:${index}`,
      ...(bottle > 0 && { bottle }),
      time,
      pills: pills_taken,
    }));
    return withOpenings(withReceipts(removals, receipts?.get(own) ?? []), openings?.get(own) ?? []).filter(
      ({ time }) => time >= since && isOfPlan(time),
    );
  });
}
