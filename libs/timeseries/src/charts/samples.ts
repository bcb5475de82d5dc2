import type { Samples } from '#persistence';
import { stepFinder, timesOf } from './columns.js';

/** The times, and the average, the least and the greatest of each step; null where there is no sample. */
export function averages(
  boundaries: readonly Date[],
  samples: readonly Samples[],
): [number[], ...(number | null)[][]] {
  const sums = new Map<number, Omit<Samples, 'at'>>();
  const stepOf = stepFinder(boundaries);
  for (const { at, num_samples, total, min, max } of samples) {
    const step = stepOf(at);
    if (step === undefined) continue;
    const sum = sums.get(step) ?? { num_samples: 0, total: 0, min, max };
    sum.num_samples += num_samples;
    sum.total += total;
    sum.min = Math.min(sum.min, min);
    sum.max = Math.max(sum.max, max);
    sums.set(step, sum);
  }
  const column = (of: (sum: Omit<Samples, 'at'>) => number): (number | null)[] =>
    Array.from({ length: boundaries.length - 1 }, (_, step) => {
      const sum = sums.get(step);
      return sum ? of(sum) : null;
    });
  return [
    timesOf(boundaries),
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
