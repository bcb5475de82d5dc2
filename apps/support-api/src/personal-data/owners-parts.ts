import { type Period, touches } from '#domain';
import type { Bottle } from '#persistence';

/** Everybody whose the bottle is or was. */
export function ownersOf({
  user_id,
  former_owners = [],
}: Pick<Bottle, 'user_id' | 'former_owners'>): string[] {
  return [...new Set([...former_owners.map((former) => former.user_id), user_id])];
}

/** The schedule versions and pauses that applied in these periods. */
export function partOfPlan(
  { schedule_versions, pauses }: Pick<Bottle, 'schedule_versions' | 'pauses'>,
  periods: readonly Period[],
): Pick<Bottle, 'schedule_versions' | 'pauses'> {
  return {
    schedule_versions: schedule_versions.filter(({ effective_from: from }, index) => {
      const until = schedule_versions[index + 1]?.effective_from;
      return touches(periods, { from, ...(until && { until }) });
    }),
    pauses: pauses.filter(({ from, to: until }) => touches(periods, { from, ...(until && { until }) })),
  };
}
