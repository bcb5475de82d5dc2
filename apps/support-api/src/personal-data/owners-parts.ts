import { type Period, touches } from '#domain';
import type { Bottle } from '#persistence';

/** Everybody whose the bottle is or was. */
export function ownersOf({
  user_id,
  former_owners = [],
}: Pick<Bottle, 'user_id' | 'former_owners'>): string[] {
  return [...new Set([...former_owners.map((former) => former.user_id), user_id])];
}

type PartOfPlan = Pick<Bottle, 'schedule_versions' | 'pauses' | 'shared_plans' | 'plan_members'>;

/** The schedule versions, the pauses and the plans shared with other bottles that applied in these periods. */
export function partOfPlan(
  { schedule_versions, pauses, shared_plans, plan_members }: PartOfPlan,
  periods: readonly Period[],
): PartOfPlan {
  return {
    ...(shared_plans && { shared_plans: shared_plans.filter((shared) => touches(periods, shared)) }),
    ...(plan_members && {
      plan_members: plan_members.filter(({ from }) => touches(periods, { from, until: new Date(+from + 1) })),
    }),
    schedule_versions: schedule_versions.filter(({ effective_from: from }, index) => {
      const until = schedule_versions[index + 1]?.effective_from;
      return touches(periods, { from, ...(until && { until }) });
    }),
    pauses: pauses.filter(({ from, to: until }) => touches(periods, { from, ...(until && { until }) })),
  };
}
