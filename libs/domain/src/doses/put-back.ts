import { MINUTE_MS } from '../time/durations.js';

/** Pills are put back within this time after their removal, the end included. Milliseconds. */
export const PUT_BACK_WITHIN_MS = 30 * MINUTE_MS;

/** What a closing reported. */
export interface CountedClosing {
  time: Date;
  pills_taken?: number;
  /** Absent if the bottle did not report it. */
  number_of_pills?: number;
}

/**
 * When pills that were removed beyond the plan were put back: the bottle then holds exactly so many more than after the
 * removal, within 30 minutes and before the next removal. A refill adds another number; a part that is put back leaves
 * the rest extra.
 *
 * @param closings of the bottle, in any order
 * @returns undefined if they were not, or nobody can say
 */
export function putBackAt(
  { time, pills }: { time: Date; pills: number },
  closings: readonly CountedClosing[],
): Date | undefined {
  const counts = closings.filter((one) => +one.time === +time).map((one) => one.number_of_pills);
  if (counts.length === 0 || counts.includes(undefined)) return undefined;
  const left = Math.min(...(counts as number[]));
  const after = closings
    .filter((one) => time < one.time && +one.time - +time <= PUT_BACK_WITHIN_MS)
    .sort((one, other) => +one.time - +other.time);
  const next = after.findIndex(({ pills_taken = 0 }) => pills_taken > 0);
  return after
    .slice(0, next === -1 ? undefined : next)
    .find(({ number_of_pills }) => number_of_pills === left + pills)?.time;
}
