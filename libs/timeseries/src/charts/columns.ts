import type { Samples } from '#persistence';
import type { Value } from '../tiers/tiers.js';
import { addSums, type Sums } from '../vitals/vitals.js';
import { type Step, STEPS } from './steps.js';

/** One series of a chart. */
export interface Series {
  key: string;
  label: string;
  unit: string;
}

/** A value for each point; null is a gap. */
type Column = (number | null)[];

/** A chart as uPlot takes it: the times of the points in epoch seconds, then a column a series. */
export interface Chart {
  series: Series[];
  columns: [number[], ...Column[]];
  /** Of a day of 24 hours, where a step is a day or a week. */
  step_seconds: number;
  step: string;
  from: Date;
  to: Date;
  /** Where the first point begins that may still grow. */
  complete_until: Date;
  time_zone: string;
}

/** How a chart is divided. */
export interface Layout {
  step: Step;
  /** The zone whose days the steps follow. */
  timeZone: string;
  /** Where the points begin, and, last, where the last of them ends. */
  boundaries: Date[];
}

/** @param counted everything before this is counted */
export function chartOf(
  { step, timeZone, boundaries }: Layout,
  series: Series[],
  columns: Column[],
  counted: Date,
): Chart {
  return {
    series,
    columns: [boundaries.slice(0, -1).map((start) => start.getTime() / 1000), ...columns],
    step,
    step_seconds: STEPS[step] / 1000,
    from: boundaries[0]!,
    to: boundaries.at(-1)!,
    complete_until: boundaries.findLast((boundary) => boundary <= counted) ?? boundaries[0]!,
    time_zone: timeZone,
  };
}

/** Adds values up by step, a column a key; a step without any value is a gap. */
export function sumColumns(
  boundaries: readonly Date[],
  values: readonly Value[],
  keys: readonly string[],
): Column[] {
  const columns = keys.map((): Column => Array.from({ length: boundaries.length - 1 }, () => null));
  const stepOf = stepFinder(boundaries);
  for (const { at, counts } of values) {
    const step = stepOf(at);
    if (step === undefined) continue;
    keys.forEach((key, index) => {
      const column = columns[index]!;
      column[step] = (column[step] ?? 0) + (counts[key] ?? 0);
    });
  }
  return columns;
}

/** A column as a share of another, in percent with one decimal; null where there is nothing to be a share of. */
export function shareColumn(part: Column, whole: Column): Column {
  return whole.map((all, step) => (all ? Math.round((1_000 * (part[step] ?? 0)) / all) / 10 : null));
}

/** The average, the least and the greatest of each step; null where there is no sample. */
export function averages(boundaries: readonly Date[], samples: readonly Samples[]): Column[] {
  const sums = Array.from<Sums | undefined>({ length: boundaries.length - 1 });
  const stepOf = stepFinder(boundaries);
  for (const { at, ...more } of samples) {
    const step = stepOf(at);
    if (step !== undefined) sums[step] = addSums(sums[step], more);
  }
  const column = (of: (sum: Sums) => number): Column => sums.map((sum) => (sum ? of(sum) : null));
  return [
    column(({ total, num_samples }) => total / num_samples),
    column(({ min }) => min),
    column(({ max }) => max),
  ];
}

/** How far apart samples usually are: the median distance of neighbours. 0 when there are fewer than two. */
export function typicalSpacing(samples: readonly Samples[]): number {
  const times = samples.map(({ at }) => at.getTime()).sort((one, other) => one - other);
  const distances = times.slice(1).map((time, index) => time - times[index]!);
  distances.sort((one, other) => one - other);
  return distances[Math.floor(distances.length / 2)] ?? 0;
}

/** Gives the index of the step that holds an instant; undefined outside. It is asked for every value of a chart. */
function stepFinder(boundaries: readonly Date[]): (at: Date) => number | undefined {
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
