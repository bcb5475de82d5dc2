import { TIERS, type TierName, tiersOf } from '../tiers/tiers.js';
import { spansBetween } from '../time/units.js';
import { boundariesOf } from './boundaries.js';
import type { Layout } from './columns.js';
import { MOST_DOCUMENTS, MOST_POINTS, type Step, STEPS, TooManyPointsError } from './steps.js';

export interface ChartRange {
  from: Date;
  /** Exclusive. */
  to: Date;
  step: Step | 'auto';
  /** The asker's. */
  timeZone: string;
}

/** What is read for a chart and how it is divided; by the days of UTC where only these are kept. */
export interface FleetPlan extends Layout {
  tier: TierName;
  /** The starts of the documents to be read. */
  documents: Date[];
}

/** Which tiers a step can be made of, the coarsest first: it reads the fewest documents. */
const MADE_OF: [Step, TierName[]][] = [
  ['1m', ['1m']],
  ['5m', ['5m']],
  ['15m', ['5m']],
  ['1h', ['1h']],
  ['3h', ['1h']],
  ['6h', ['1h']],
  ['1d', ['1h', '1d']],
  ['7d', ['1h', '1d']],
];

/** The steps of fleet charts. */
export const FLEET_STEPS = MADE_OF.map(([step]) => step);

/**
 * Chooses the tier for a chart, and, with `auto`, the finest step that has at most 500 points, reads at most 48
 * documents and whose tier still holds the whole range.
 *
 * @throws TooManyPointsError when the step that was chosen has more points, or none of its tiers can do it.
 */
export function planFleetChart(range: ChartRange, now: Date): FleetPlan {
  const { from, to, step } = range;
  for (const [candidate, tiers] of MADE_OF) {
    if (step !== 'auto' && step !== candidate) continue;
    // checked before it is laid out: a year by the minute is half a million boundaries
    if ((to.getTime() - from.getTime()) / STEPS[candidate] > MOST_POINTS) continue;
    for (const tier of tiers) {
      const plan = planWith(range, candidate, tier);
      const fits = plan.documents.length <= MOST_DOCUMENTS && plan.boundaries.length - 1 <= MOST_POINTS;
      const held = tiersOf(from, now).includes(tier) || (step !== 'auto' && tier === tiers.at(-1));
      if (fits && held) return plan;
    }
  }
  throw new TooManyPointsError(`at most ${MOST_POINTS} points and ${MOST_DOCUMENTS} documents a chart`);
}

function planWith({ from, to, timeZone }: ChartRange, step: Step, tier: TierName): FleetPlan {
  // days of other zones cannot be made of UTC's
  const zone = tier === '1d' ? 'UTC' : timeZone;
  const { document } = TIERS[tier];
  const laidOut = boundariesOf(from, to, step, zone);
  const all = spansBetween(document, laidOut[0]!, laidOut.at(-1)!);
  if (all.length !== MOST_DOCUMENTS + 1)
    return { tier, step, timeZone: zone, boundaries: laidOut, documents: all };
  // 48 hours that do not begin with the hour lie in 49 documents: the chart begins with the second
  const [, second] = all;
  const boundaries = boundariesOf(second!, to, step, zone).filter((start) => start >= second!);
  return { tier, step, timeZone: zone, boundaries, documents: all.slice(1) };
}
