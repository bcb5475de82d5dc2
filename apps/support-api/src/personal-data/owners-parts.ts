import { type Period, periodsOf, touches } from '#domain';
import { AlertsRepository, type Bottle, type OwnersPart } from '#persistence';
import { Injectable } from '@nestjs/common';

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
    pauses: pauses.filter(({ from, to: until }) => touches(periods, { from, until })),
  };
}

/** Says which part of a bottle's data is whose. */
@Injectable()
export class OwnersParts {
  constructor(private readonly alerts: AlertsRepository) {}

  async of(bottle: Pick<Bottle, '_id' | 'user_id' | 'former_owners'>, userId: string): Promise<OwnersPart> {
    return {
      user_id: userId,
      periods: periodsOf(bottle, userId),
      alert_ids: await this.alerts.findIdsOfOwner(bottle._id, userId),
    };
  }
}
