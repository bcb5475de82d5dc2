import type { Unit } from '../counting/tally.js';
import type { TierName } from '../tiers/tiers.js';
import type { Logged } from './report-log.js';

/** Where what was counted is not what the log says. */
export interface Difference {
  tier: TierName | 'tags' | 'vitals';
  /** The start of the bucket (UTC); of `tags` by the wall clock where the bottles are, written as if it were UTC. */
  bucket: Date;
  /** The metric and its key, such as `reports opened`; the medication and zone; or the bottle and what it said. */
  kind: string;
  counted: number;
  logged: number;
  /** False where reports are on their way, and the count may be right. */
  sure: boolean;
  /** What has to be counted anew from the log. Absent where a coarser tier is behind the finer one. */
  unit?: Unit;
}

/**
 * Holds a count against the log. Undefined where it is right; not `sure` where it may be right or wrong, because
 * reports of it are on their way.
 */
export function heldAgainst(
  counted: number,
  { least, most }: Logged,
): Pick<Difference, 'counted' | 'logged' | 'sure'> | undefined {
  if (counted < least) return { counted, logged: least, sure: true };
  if (counted > most) return { counted, logged: most, sure: true };
  return least === most ? undefined : { counted, logged: most, sure: false };
}
