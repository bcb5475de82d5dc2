/** What a medication's pills weigh, learned from weighings; the unit is that of the reports' `mass_of_contents`. */
export interface PillWeight {
  /** Mean mass of one pill. */
  mass: number;
  /** Weighings that went into it; after `MOST_SAMPLES` each further one moves the mean by the same share. */
  samples: number;
}

/** A closed bottle, weighed and counted. */
export interface Weighing {
  mass_of_contents: number;
  number_of_pills: number;
}

const MOST_SAMPLES = 50;
const FEWEST_PILLS = 5;
const SETTLED_SAMPLES = 5;
const OUTLIER_SHARE = 0.1;

/**
 * Learns from one weighing. Weighings with fewer than 5 pills are left out, because the load cell's error is then
 * too large a share, and once 5 are in, so are those more than 10 % from the mean: they are what the check is for.
 *
 * @param weight what is known so far of the medication; undefined at first
 * @returns the new state, or the same when the weighing teaches nothing
 */
export function learnPillWeight(weight: PillWeight | undefined, weighing: Weighing): PillWeight | undefined {
  const { mass_of_contents, number_of_pills } = weighing;
  if (number_of_pills < FEWEST_PILLS || !(mass_of_contents > 0)) return weight;
  const mass = mass_of_contents / number_of_pills;
  if (!weight) return { mass, samples: 1 };
  if (isSettled(weight) && Math.abs(mass / weight.mass - 1) > OUTLIER_SHARE) return weight;
  const samples = Math.min(weight.samples + 1, MOST_SAMPLES);
  return { mass: weight.mass + (mass - weight.mass) / samples, samples };
}

/** Whether enough weighings went into a weight to judge by it. */
export function isSettled(weight: PillWeight): boolean {
  return weight.samples >= SETTLED_SAMPLES;
}
