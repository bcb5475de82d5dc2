/** An action as far as counts go. */
export interface CountedAction {
  action: 'opened' | 'closed';
  /** Event time. */
  time: Date;
  number_of_pills?: number;
  pills_taken?: number;
}

/** What an action or a heartbeat says that can hardly be so. */
export type DoubtfulCount = {
  /** Of the action, or the receipt of the heartbeat. */
  time: Date;
} & ({ field: 'pills_taken'; reason: 'more_than_were_there' } | TwoCounts);

/** Two counts that alternate. Pills. */
export interface TwoCounts {
  field: 'number_of_pills';
  reason: 'two_counts';
  /** Before the action, or of the heartbeat, which continues this count. */
  number_of_pills: number;
  /** What was reported just before it. */
  other_number_of_pills: number;
}

/** Counts that are closer than this may be one that is not read exactly. Pills. */
const APART = 3;
/** A refill is one jump, and a mistake two; a third return is another bottle. */
const RETURNS = 3;

/**
 * Finds actions that take out more pills than the bottle had, and two counts that alternate: two bottles report under one
 * token, as after a copy of the firmware's memory. Each count goes on where it was when it was reported last.
 *
 * @param actions of some days, in any order
 */
export function findDoubtfulCounts(actions: readonly CountedAction[]): DoubtfulCount[] {
  const doubtful: DoubtfulCount[] = [];
  let current: number | undefined;
  let other: number | undefined;
  let returns = 0;
  for (const { time, number_of_pills: count, pills_taken: taken = 0 } of inOrderOfTime(actions)) {
    if (current !== undefined && taken > Math.max(current, other ?? 0))
      doubtful.push({ time, field: 'pills_taken', reason: 'more_than_were_there' });
    if (count === undefined) continue;
    const before = count + taken;
    if (current !== undefined && Math.abs(before - current) >= APART) {
      returns = before === other ? returns + 1 : 0;
      other = current;
      if (returns >= RETURNS) doubtful.push({ time, ...twoCounts(before, current) });
    }
    current = count;
  }
  return doubtful;
}

/**
 * Finds two counts that alternate in heartbeats alone: a copy of a bottle that nobody opens sends nothing else. Heartbeats
 * of one receipt came in a backlog, and are one.
 *
 * @param heartbeats at their receipt, in any order
 */
export function findAlternatingHeartbeats(
  heartbeats: readonly { time: Date; number_of_pills: number }[],
): DoubtfulCount[] {
  const counts = new Map<number, number>();
  for (const { time, number_of_pills: count } of heartbeats)
    counts.set(time.getTime(), Math.max(count, counts.get(time.getTime()) ?? count));
  return findDoubtfulCounts(
    [...counts].map(([time, number_of_pills]) => ({
      action: 'opened',
      time: new Date(time),
      number_of_pills,
    })),
  );
}

function twoCounts(number_of_pills: number, other_number_of_pills: number): TwoCounts {
  return { field: 'number_of_pills', reason: 'two_counts', number_of_pills, other_number_of_pills };
}

/** Of two at one moment the closing is the later. */
export function inOrderOfTime(actions: readonly CountedAction[]): CountedAction[] {
  return actions.toSorted(
    (one, next) =>
      one.time.getTime() - next.time.getTime() ||
      Number(one.action === 'closed') - Number(next.action === 'closed'),
  );
}
