import type { Tally } from '../counting/tally.js';
import type { TierName } from '../tiers/tiers.js';

/** Where what was counted is not what the log says. */
export interface Difference {
  tier: TierName | 'tags' | 'vitals';
  /** The start of the bucket (UTC); of `tags` by the wall clock where the bottles are, written as if it were UTC. */
  bucket: Date;
  /** The metric and its key, such as `reports opened`; the medication and zone; or the bottle and what it said. */
  kind: string;
  counted: number;
  logged: number;
  /** Adds what is missing, or takes off what is too much. Absent where the whole is made again from the log. */
  mend?: (tally: Tally) => void;
}
