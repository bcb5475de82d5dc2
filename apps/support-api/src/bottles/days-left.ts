import { daysOfSupply } from '#domain';
import type { Bottle } from '#persistence';

/** The domain looks no further. */
const FOR_EVER = 400;

/** For how many whole days the pills last. Null when nothing is to be taken, or when it cannot be known. */
export function daysLeft(
  { schedule_versions: versions, pauses }: Bottle,
  pills: number | null,
  now: Date,
): number | null {
  if (pills === null || versions.length === 0) return null;
  const { days } = daysOfSupply({ pills, versions, pauses, now });
  return days >= FOR_EVER ? null : Math.floor(days);
}
