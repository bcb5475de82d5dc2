import type { Tally } from '../counting/tally.js';
import { type TierName, TIER_NAMES } from '../tiers/tiers.js';

const TIERS_AND_MORE = [...TIER_NAMES, 'tags', 'vitals'] as const;

/** One number of the charts. */
export interface Place {
  tier: TierName | 'tags' | 'vitals';
  /** The start of the bucket (UTC); of `tags` by the wall clock where the bottles are, written as if it were UTC. */
  bucket: Date;
  /** The metric and its key, such as `reports opened`; the medication, zone and key; or the bottle and vital. */
  kind: string;
  /** Adds what is missing to the tally, or takes off what is too much; or has the whole made again from the log. */
  mend: (by: { tally: Tally; missing: number; now: Date }) => unknown;
}

/** Where what was counted is not what the log says. */
export interface Difference extends Place {
  counted: number;
  logged: number;
}

/** Holds what was counted against what the log says. */
export class Ledger {
  private readonly entries = new Map<string, Difference>();

  counted(place: Place, amount: number): void {
    this.entryOf(place).counted += amount;
  }

  logged(place: Place, amount: number): void {
    this.entryOf(place).logged += amount;
  }

  /** The finest tiers first. */
  differences(): Difference[] {
    const differing = [...this.entries.values()].filter(({ counted, logged }) => counted !== logged);
    return TIERS_AND_MORE.flatMap((tier) => differing.filter((one) => one.tier === tier));
  }

  private entryOf(place: Place): Difference {
    const name = `${place.tier} ${place.bucket.getTime()} ${place.kind}`;
    const entry = this.entries.get(name) ?? { ...place, counted: 0, logged: 0 };
    this.entries.set(name, entry);
    return entry;
  }
}
