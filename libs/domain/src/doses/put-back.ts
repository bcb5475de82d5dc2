import { groupBy } from '../group-by.js';
import { MINUTE_MS } from '../time/durations.js';

/** Pills are put back within this time after their removal, the end included. Milliseconds. */
export const PUT_BACK_WITHIN_MS = 30 * MINUTE_MS;

/** The time [from, to) of a removal and of what may put its pills back. */
export const putBackSpan = (removed: Date): { from: Date; to: Date } => ({
  from: removed,
  to: new Date(removed.getTime() + PUT_BACK_WITHIN_MS + 1),
});

/** When a bottle was closed, and how many pills were taken out. */
export interface ClosingSeen {
  time: Date;
  /** Absent, or not greater than 0, of a closing without a removal. */
  pills_taken?: number | null;
}

/** What a closing reported. */
export interface CountedClosing extends ClosingSeen {
  /** Absent if the bottle did not report it. */
  number_of_pills?: number;
}

/** Pills that are in the bottle again. */
export interface PutBack {
  /** The first closing from which on it counts as many. */
  at: Date;
  pills: number;
}

/** What was taken out at one closing, or at several of one moment. */
export interface NetRemoval {
  time: Date;
  pills_taken: number;
}

/**
 * The removals after which pills may have been put back: a closing without a removal follows within the time, before the
 * next removal. For the others no count need be read.
 *
 * @param closings of one bottle, in any order
 * @returns their times
 */
export function mayBePutBack(closings: readonly ClosingSeen[]): Date[] {
  const inOrder = closings.toSorted(
    (one, other) => +one.time - +other.time || Number(isRemoval(other)) - Number(isRemoval(one)),
  );
  const found = new Set<Date>();
  let removed: Date | undefined;
  for (const closing of inOrder) {
    if (isRemoval(closing)) removed = closing.time;
    else if (removed && isInTime(removed, closing.time)) found.add(removed);
  }
  return [...found];
}

/**
 * The removals of one bottle with the pills that did not come back (DOSE-41); one of which all did is none. Removals at one
 * moment of which some came back are one.
 *
 * A pure function of the set of closings.
 *
 * @param closings of the bottle, in any order
 * @param counted what the closings reported after each of {@link mayBePutBack}, and that removal itself
 */
export function netRemovals(
  closings: readonly ClosingSeen[],
  counted: readonly CountedClosing[],
): NetRemoval[] {
  const removals = closings.filter(isRemoval);
  return [...groupBy(removals, ({ time }) => time.getTime()).values()].flatMap((together) => {
    const back = pillsPutBack(together[0].time, counted);
    if (!back) return together.map(({ time, pills_taken }) => ({ time, pills_taken }));
    const left = sum(together) - back.pills;
    return left > 0 ? [{ time: together[0].time, pills_taken: left }] : [];
  });
}

/**
 * The pills of a removal that came back: the last closing within the time, before the next removal, counts so many more
 * than the removal left. More than were taken out is a refill, which shows nothing, as does what follows it.
 *
 * @param time of the removal
 * @param closings of its bottle, in any order
 * @returns undefined if none did, or nobody can say
 */
export function pillsPutBack(time: Date, closings: readonly CountedClosing[]): PutBack | undefined {
  const removals = closings.filter(isRemoval);
  const own = removals.filter((one) => +one.time === +time);
  const counts = own.map((one) => one.number_of_pills);
  if (counts.length === 0 || counts.includes(undefined)) return undefined;
  const left = Math.min(...(counts as number[]));
  const next = Math.min(...removals.map((one) => +one.time).filter((at) => at > +time));
  const after = closings
    .filter((one) => !isRemoval(one) && isInTime(time, one.time) && +one.time < next)
    .flatMap(({ time: at, number_of_pills }) =>
      number_of_pills === undefined ? [] : [{ at, pills: number_of_pills - left }],
    )
    .sort((one, other) => +one.at - +other.at || one.pills - other.pills);
  const refill = after.findIndex(({ pills }) => pills > sum(own));
  const comparable = after.slice(0, refill === -1 ? undefined : refill);
  const pills = comparable.at(-1)?.pills ?? 0;
  // the first from which on they are as many
  const since = comparable.findLastIndex((one) => one.pills !== pills) + 1;
  return pills > 0 ? comparable[since] : undefined;
}

type Removing<C extends ClosingSeen> = C & { pills_taken: number };

const isRemoval = <C extends ClosingSeen>(closing: C): closing is Removing<C> =>
  (closing.pills_taken ?? 0) > 0;

const sum = (removals: readonly NetRemoval[]): number =>
  removals.reduce((total, { pills_taken }) => total + pills_taken, 0);

const isInTime = (removed: Date, at: Date): boolean => removed < at && +at - +removed <= PUT_BACK_WITHIN_MS;
