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

/** Gives the index of the step that holds an instant; undefined outside. It is asked for every value of a chart. */
export function stepFinder(boundaries: readonly Date[]): (at: Date) => number | undefined {
  // numbers: comparing dates takes ten times as long
  const starts = boundaries.map((start) => start.getTime());
  const last = starts.length - 1;
  return (at) => {
    const time = at.getTime();
    if (last < 1 || time < starts[0]! || time >= starts[last]!) return undefined;
    let [low, high] = [0, last];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= time) low = middle;
      else high = middle;
    }
    return low;
  };
}

/** Adds values up by step; a step without any value is a gap. */
export function sumColumns(
  boundaries: readonly Date[],
  values: readonly Pick<Value, 'at' | 'counts'>[],
  keys: readonly string[],
): [number[], ...(number | null)[][]] {
  const points = boundaries.length - 1;
  const columns = keys.map(() => Array.from<number | null>({ length: points }).fill(null));
  const stepOf = stepFinder(boundaries);
  for (const { at, counts } of values) {
    const step = stepOf(at);
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
