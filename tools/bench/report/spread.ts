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
