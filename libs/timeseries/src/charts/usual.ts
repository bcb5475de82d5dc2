/** How a count compares with those of the same hour of earlier weeks. */
export interface Comparison {
  /** Null: nobody was there to count. */
  now: number | null;
  /** The median of the earlier weeks. */
  usual: number;
  /** The least and the most of them. */
  low: number;
  high: number;
  /** On which side it lies outside of what is usual; null if it does not. */
  unusual: 'low' | 'high' | null;
}

/** One week alone says nothing of what is usual. */
const FEWEST_WEEKS = 2;
/** Counts of unrelated events differ by the root of what is expected; three times that is rare. */
const DEVIATIONS = 3;
/** What is large differs by a share, too: a fleet grows, and a holiday is no incident. */
const SHARE = 0.25;

/**
 * Compares a count with those of the same hour of earlier weeks. It is unusual if it lies outside of all of them, by more
 * than chance (three times the root of the median) and by more than a quarter of the median.
 *
 * @param before null: nobody was there to count
 * @returns undefined without two weeks to compare with
 */
export function compare(now: number | null, before: readonly (number | null)[]): Comparison | undefined {
  const counts = before.filter((count) => count !== null).sort((one, other) => one - other);
  if (counts.length < FEWEST_WEEKS) return undefined;
  const [low, high] = [counts[0]!, counts.at(-1)!];
  const middle = Math.floor(counts.length / 2);
  const usual = counts.length % 2 === 1 ? counts[middle]! : (counts[middle - 1]! + counts[middle]!) / 2;
  const tolerance = Math.max(DEVIATIONS * Math.sqrt(Math.max(usual, 1)), SHARE * usual);
  const unusual =
    now === null ? null : now > high + tolerance ? 'high' : now < low - tolerance ? 'low' : null;
  return { now, usual, low, high, unusual };
}
