import { type CountedAction, findAlternatingHeartbeats } from '../supply/doubtful-counts.js';
import { inOrderOfChoice, matchRemovals, type Removal, type SlotMatch } from './match.js';
import type { Slot } from './slots.js';

/** The pills that a heartbeat counted, at its receipt. */
export interface CountedHeartbeat {
  time: Date;
  number_of_pills: number;
}

/** What a bottle counted, in any order. */
export interface ReportedCounts {
  actions: readonly CountedAction[];
  /** Empty for a bottle that does not count by itself. */
  heartbeats: readonly CountedHeartbeat[];
}

/** Pills that left a bottle by its count, and that no closing reported: one was lost. */
export interface UnreportedPills {
  pills: number;
  /** The report before they left. */
  from: Date;
  /** The report whose count is lower. */
  until: Date;
}

interface Report {
  time: Date;
  /** In the bottle before what this report says was taken; undefined if it does not say. */
  before: number | undefined;
  /** Present for an action: what is in the bottle after it. */
  after?: number;
}

interface Fall extends UnreportedPills {
  /** Counted before it, and after. */
  high: number;
  low: number;
}

/**
 * The pills that left a bottle without a closing that reports it: a heartbeat, or the next action, counts fewer than the
 * bottle's last action left in it. A count that is back where it was before takes that back. A higher one is a refill whose
 * closing was lost, or an older count that arrived late: it shows nothing. Nor do two counts that alternate in heartbeats:
 * they are of two bottles under one token (REPORT-13).
 *
 * A pure function of sets: order and repetition change nothing.
 *
 * @param to what is reported later is left out
 * @returns in order of time
 */
export function unreportedPills({ actions, heartbeats }: ReportedCounts, to: Date): UnreportedPills[] {
  if (heartbeats.length === 0 || findAlternatingHeartbeats(heartbeats).length > 0) return [];
  const found: Fall[] = [];
  let falls: Fall[] = [];
  let level: number | undefined;
  let from: Date | undefined;
  for (const { time, before, ...action } of inOrderOfTime(actions, heartbeats)) {
    if (time > to) break;
    if (before !== undefined) {
      if (level !== undefined && before <= level) {
        falls = falls.flatMap((fall) => takenBack(fall, before));
        const high = falls.at(-1)?.low ?? level;
        if (before < high) falls.push({ pills: high - before, from: from!, until: time, high, low: before });
      }
      level ??= before;
      from = time;
    }
    if ('after' in action) {
      found.push(...falls);
      falls = [];
      level = action.after;
    }
  }
  return [...found, ...falls].map(({ pills, from: after, until }) => ({ pills, from: after, until }));
}

/** What is left of a fall when so many pills are counted again. */
function takenBack(fall: Fall, count: number): Fall[] {
  if (count <= fall.low) return [fall];
  return count < fall.high ? [{ ...fall, pills: fall.high - count, low: count }] : [];
}

function inOrderOfTime(actions: readonly CountedAction[], heartbeats: readonly CountedHeartbeat[]): Report[] {
  const reports = [
    ...heartbeats.map(({ time, number_of_pills }): Report => ({ time, before: number_of_pills })),
    ...actions.map(({ time, number_of_pills: count, pills_taken: taken = 0 }): Report => ({
      time,
      before: count === undefined ? undefined : count + taken,
      after: count!,
    })),
  ];
  // of heartbeats at one moment, which came in a backlog, the greatest count is the last: it supersedes the others
  return reports.sort(
    (one, other) =>
      one.time.getTime() - other.time.getTime() ||
      Number('after' in one) - Number('after' in other) ||
      (one.before ?? 0) - (other.before ?? 0),
  );
}

/** From when on counts matter: before the first dose that is late and not whole; undefined if there is none. */
export function countsMatterFrom(
  slots: readonly Slot[],
  removals: readonly Removal[],
  { now, silentAfterMs }: { now: Date; silentAfterMs: number },
): Date | undefined {
  const open = matchRemovals(slots, removals).slots.find(
    ({ slot, completed_at }) => !completed_at && slot.late_at <= now,
  );
  return open && new Date(open.slot.early_from.getTime() - 2 * silentAfterMs);
}

/** Unreported pills that may be what a dose lacks. */
export interface MaybeTaken extends UnreportedPills {
  /** How many of them may be of the dose. */
  of_dose: number;
}

/**
 * The unreported pills that may be what each dose lacks: they left in its window, as far as the count shows. Each pill may
 * be of one dose only, of those that lack some the one for which it would count had it been reported.
 *
 * @param matches in order of time
 */
export function mayBeTaken(
  matches: readonly SlotMatch[],
  unreported: readonly UnreportedPills[],
): Map<SlotMatch, MaybeTaken> {
  const found = new Map<SlotMatch, MaybeTaken>();
  for (const { pills, from, until } of unreported) {
    let left = pills;
    for (const match of inOrderOfChoice(matches, from)) {
      const { slot } = match;
      const known = found.get(match) ?? { pills: 0, of_dose: 0, from };
      const used = Math.min(left, slot.pills - match.pills_taken - known.of_dose);
      if (used <= 0 || until < slot.early_from || slot.missed_at < from) continue;
      left -= used;
      found.set(match, {
        pills: known.pills + pills,
        of_dose: known.of_dose + used,
        from: known.from,
        until,
      });
    }
  }
  return found;
}
