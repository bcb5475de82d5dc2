import { agrees } from './tolerance.js';
import { inOrder, type Weighing } from './weighing.js';

/** What the weighings of one bottle say of one pill. */
export interface BottleWeight {
  /** Grams. */
  mass: number;
  /** The last weighing that went into it. */
  time: Date;
}

/** What a medication's pills weigh, learned from bottles. */
export interface PillWeight {
  /** Grams, of one pill. */
  mass: number;
  /** Bottles that it was learned from. */
  bottles: number;
}

const FEWEST_PILLS = 5;
const FEWEST_COUNTS = 5;
/** How far what was removed may differ from what that many pills weigh. */
const FOLLOWS_WITHIN = 0.25;
/** How far, and how many, bottles of one medication may differ from their median. */
const SAME_PILL_WITHIN = 0.05;
const SAME_PILL_SHARE = 0.8;

/**
 * What one pill weighs by a bottle's own last weighings, or undefined when they teach nothing. They do from the
 * oldest on as far as there are five different counts, all agree with one weight, and the mass went down as the
 * count did: a scale that is stuck, or a count that is not kept, teaches nobody, and what comes after a weighing
 * that does not fit is not believed. Fewer than five pills are left out, because the scale's error is then too large
 * a share. The order in which the weighings are given does not matter.
 */
export function weighOnePill(weighings: readonly Weighing[]): BottleWeight | undefined {
  const usable = inOrder(weighings).filter(
    ({ mass_of_contents, number_of_pills }) => number_of_pills >= FEWEST_PILLS && mass_of_contents > 0,
  );
  for (let count = usable.length; count >= FEWEST_COUNTS; count -= 1) {
    const mass = steadyMass(usable.slice(0, count));
    if (mass !== undefined) return { mass, time: usable[count - 1]!.time };
  }
  return undefined;
}

function steadyMass(weighings: readonly Weighing[]): number | undefined {
  if (new Set(weighings.map(({ number_of_pills }) => number_of_pills)).size < FEWEST_COUNTS) return undefined;
  const mass = median(
    weighings.map(({ mass_of_contents, number_of_pills }) => mass_of_contents / number_of_pills),
  );
  return weighings.every((weighing) => agrees(weighing, mass)) && follows(weighings, mass) ? mass : undefined;
}

function follows(weighings: readonly Weighing[], mass: number): boolean {
  const byCount = weighings.toSorted(
    (one, other) =>
      one.number_of_pills - other.number_of_pills || one.mass_of_contents - other.mass_of_contents,
  );
  const [fewest, most] = [byCount[0]!, byCount.at(-1)!];
  const pills = most.number_of_pills - fewest.number_of_pills;
  const weighed = (most.mass_of_contents - fewest.mass_of_contents) / mass;
  return Math.abs(weighed - pills) <= pills * FOLLOWS_WITHIN;
}

/**
 * The median of what bottles of one medication say, which a few wrong ones do not move. Undefined while they do
 * not say the same: the medication may come as different pills, and then no weight holds for all.
 */
export function learnPillWeight(bottles: readonly Pick<BottleWeight, 'mass'>[]): PillWeight | undefined {
  if (bottles.length === 0) return undefined;
  const masses = bottles.map(({ mass }) => mass);
  const mass = median(masses);
  const same = masses.filter((one) => Math.abs(one / mass - 1) <= SAME_PILL_WITHIN);
  return same.length < bottles.length * SAME_PILL_SHARE ? undefined : { mass, bottles: bottles.length };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
  return (low + high) / 2;
}
