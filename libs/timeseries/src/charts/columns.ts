import type { Value } from '../tiers/tier-document.js';

/** One series of a chart. */
export interface Series {
  key: string;
  label: string;
  unit: string;
}

/** A chart as uPlot takes it: the times of the points in epoch seconds, then a column a series; null is a gap. */
export interface Chart {
  series: Series[];
  columns: [number[], ...(number | null)[][]];
  /** Of a day of 24 hours, where a step is a day or a week. */
  step_seconds: number;
  step: string;
  from: Date;
  to: Date;
  time_zone: string;
}

/** The index of the step that holds an instant; undefined outside. */
export function stepOf(boundaries: readonly Date[], at: Date): number | undefined {
  let [low, high] = [0, boundaries.length - 1];
  if (high < 1 || at < boundaries[0]! || at >= boundaries[high]!) return undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (boundaries[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** Adds values up by step; a step without any value is a gap. */
export function sumColumns(
  boundaries: readonly Date[],
  values: readonly Pick<Value, 'at' | 'counts'>[],
  keys: readonly string[],
): [number[], ...(number | null)[][]] {
  const points = boundaries.length - 1;
  const columns = keys.map(() => Array.from<number | null>({ length: points }).fill(null));
  for (const { at, counts } of values) {
    const step = stepOf(boundaries, at);
    if (step === undefined) continue;
    keys.forEach((key, index) => {
      const column = columns[index]!;
      column[step] = (column[step] ?? 0) + (counts[key] ?? 0);
    });
  }
  return [timesOf(boundaries), ...columns];
}

/** Epoch seconds of the starts. */
export function timesOf(boundaries: readonly Date[]): number[] {
  return boundaries.slice(0, -1).map((start) => start.getTime() / 1000);
}
