/** At least three, as one round on a shared machine says little. */
export const ROUNDS = 3;

/**
 * Measures several ways in turn, round after round; every other round in the reverse order, so that none is
 * always the first. Gives the figure of each way by round.
 */
export async function inTurn<Way extends string>(
  ways: Record<Way, () => Promise<number>>,
  rounds = ROUNDS,
): Promise<Record<Way, number[]>> {
  const names = Object.keys(ways) as Way[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Way, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) figures[name].push(await ways[name]());
  }
  return figures;
}

/** Several rounds of one measurement. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  return { median: percentile(sorted, 0.5), min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** Round by round, so that what slows the machine down slows both. */
export function ratio(over: readonly number[], under: readonly number[]): Spread {
  return spread(over.map((value, round) => value / under[round]!));
}

/** @param sorted ascending. Interpolates between neighbours. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? Number.NaN : low + (high - low) * (place % 1);
}
