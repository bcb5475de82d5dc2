/**
 * How many come no later than an instant, which is also where the first later one is. By halving.
 *
 * @param inOrder by time
 * @param instant epoch milliseconds, as of `timeOf`; included
 */
export function countUntil<T>(inOrder: readonly T[], timeOf: (one: T) => number, instant: number): number {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(inOrder[middle]!) > instant) high = middle;
    else low = middle + 1;
  }
  return low;
}
