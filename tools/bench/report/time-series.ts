/** Counts of several things in equal steps of time. */
export interface TimeSeries {
  /** Seconds. */
  step: number;
  columns: Record<string, number[]>;
}

/** How many of these moments lie in each step. Milliseconds; what lies outside is left out. */
export function countPerStep(
  moments: readonly number[],
  start: number,
  step: number,
  steps: number,
): number[] {
  const counts = Array<number>(steps).fill(0);
  for (const at of moments) {
    const place = Math.floor((at - start) / step);
    if (place >= 0 && place < steps) counts[place]! += 1;
  }
  return counts;
}

/** The sum of each and all before it. */
export function summed(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count));
}

/** With the second of the run at which each step begins. */
export function asCsv({ step, columns }: TimeSeries): string {
  const names = Object.keys(columns);
  const rows = Object.values(columns)[0]?.map((_, place) =>
    [place * step, ...names.map((name) => columns[name]![place])].join(','),
  );
  return `${[['second', ...names].join(','), ...(rows ?? [])].join('\n')}\n`;
}
