import { DAY_MS, type Slot } from '#domain';
import type { Course } from './people.js';
import type { Removed, Rule } from './rules.js';

/** Longer than any window. */
const KEPT_MS = 5 * DAY_MS;

/** What a rule did with a course. */
export interface Figures {
  doses: number;
  /** Removals that counted for another slot than the one that was meant, or for one where none was, or for none. */
  wrongSlot: number;
  /** Messages (late, missed, extra) about what the person had not done. */
  falseMessages: number;
  /** Messages about what the person had done that were not sent. */
  notSent: number;
  /** Messages that later removals proved wrong. */
  corrections: number;
}

type Assignment = (number | undefined)[];

/** Sends what people are sent by the assignments as they were at each moment, and compares with what was meant. */
export function measure({ slots, removals }: Course, rule: Rule): Figures {
  const truth = removals.map(({ meant, time }) =>
    meant !== undefined && time >= slots[meant]!.early_from && time <= slots[meant]!.missed_at
      ? meant
      : undefined,
  );
  const meant = messagesOf(slots, removals, () => truth);
  const byRule = messagesOf(slots, removals, (from, until, first, last) => {
    const found = rule(slots.slice(first, last), removals.slice(from, until));
    const all: Assignment = removals.map(() => undefined);
    for (const [index, slot] of found.entries())
      all[from + index] = slot === undefined ? undefined : slot + first;
    return all;
  });
  const assigned = rule(slots, removals);
  const wanted = new Set(meant.sent);
  const sent = new Set(byRule.sent);
  return {
    doses: slots.length,
    wrongSlot: assigned.filter((slot, index) => slot !== truth[index]).length,
    falseMessages: byRule.sent.filter((one) => !wanted.has(one)).length,
    notSent: meant.sent.filter((one) => !sent.has(one)).length,
    corrections: byRule.corrected,
  };
}

/** The assignment of the removals `[from, until)` to the slots `[first, last)`, by position in the whole lists. */
type Assign = (from: number, until: number, first: number, last: number) => Assignment;

function messagesOf(
  slots: readonly Slot[],
  removals: readonly Removed[],
  assign: Assign,
): { sent: string[]; corrected: number } {
  const moments = [
    ...slots.flatMap(({ late_at, missed_at }, slot) => [
      { at: late_at.getTime(), slot, event: 'late' as const },
      { at: missed_at.getTime(), slot, event: 'missed' as const },
    ]),
    ...removals.map(({ time }, removal) => ({ at: time.getTime(), removal, event: 'removed' as const })),
  ].sort((one, other) => one.at - other.at || (one.event === 'removed' ? -1 : 1));
  const sent = new Set<string>();
  const wrong = new Set<string>();
  for (const moment of moments) {
    const { at } = moment;
    const from = firstIndex(removals, ({ time }) => time.getTime() >= at - KEPT_MS);
    const until = firstIndex(removals, ({ time }) => time.getTime() > at);
    const first = firstIndex(slots, ({ early_from }) => early_from.getTime() >= at - KEPT_MS);
    const last = firstIndex(slots, ({ scheduled_at }) => scheduled_at.getTime() > at + DAY_MS);
    const slotOf = assign(from, until, first, last);
    const pills = new Map<number, number>();
    for (let index = from; index < until; index += 1) {
      const slot = slotOf[index];
      if (slot !== undefined) pills.set(slot, (pills.get(slot) ?? 0) + removals[index]!.pills);
    }
    if (moment.event === 'removed') {
      for (let index = from; index < until; index += 1) {
        const slot = slotOf[index];
        const over = slot === undefined || isOver(slots[slot]!, removals, slotOf, slot, index, from);
        const message = `extra ${removals[index]!.id}`;
        // what was removed outside every window is judged by another rule
        const isInWindow = slots
          .slice(first, last)
          .some(
            ({ early_from, missed_at }) =>
              early_from <= removals[index]!.time && removals[index]!.time <= missed_at,
          );
        if (over && isInWindow && index === until - 1) sent.add(message);
        if (sent.has(message) && !over) wrong.add(message);
      }
      for (const [slot, count] of pills)
        for (const event of ['late', 'missed'])
          if (
            sent.has(`${event} ${slot}`) &&
            count >= slots[slot]!.pills &&
            wholeAt(slots[slot]!, removals, slotOf, slot, from, until) <=
              (event === 'late' ? slots[slot]!.late_at : slots[slot]!.missed_at).getTime()
          )
            wrong.add(`${event} ${slot}`);
    } else {
      const isWhole = (pills.get(moment.slot) ?? 0) >= slots[moment.slot]!.pills;
      if (!isWhole) sent.add(`${moment.event} ${moment.slot}`);
    }
    // what was whole when it was late or missed, and is not any more
    for (let slot = first; slot < last; slot += 1) {
      const { late_at, pills: whole } = slots[slot]!;
      // what is at the edge was matched without what came before
      if (late_at.getTime() < at - KEPT_MS / 2) continue;
      if (late_at.getTime() < at && (pills.get(slot) ?? 0) < whole && !sent.has(`late ${slot}`))
        wrong.add(`taken ${slot}`);
    }
  }
  return { sent: [...sent], corrected: wrong.size };
}

/** Whether the pills of a removal exceed the dose that earlier removals made. */
function isOver(
  { pills: whole }: Slot,
  removals: readonly Removed[],
  slotOf: Assignment,
  slot: number,
  index: number,
  from: number,
): boolean {
  let pills = 0;
  for (let one = from; one <= index; one += 1) if (slotOf[one] === slot) pills += removals[one]!.pills;
  return pills > whole;
}

function wholeAt(
  { pills: whole }: Slot,
  removals: readonly Removed[],
  slotOf: Assignment,
  slot: number,
  from: number,
  until: number,
): number {
  let pills = 0;
  for (let one = from; one < until; one += 1) {
    if (slotOf[one] === slot) pills += removals[one]!.pills;
    if (pills >= whole) return removals[one]!.time.getTime();
  }
  return Infinity;
}

/** Where a condition that is true from some place on is first true. */
function firstIndex<T>(list: readonly T[], holds: (one: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
