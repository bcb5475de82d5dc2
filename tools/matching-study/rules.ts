import { matchRemovals, type Slot } from '#domain';

/** A removal as the rules see it. */
export interface Removed {
  id: string;
  time: Date;
  pills: number;
}

/** Which slot each removal counts for, by its position in `removals`; undefined for none. Both lists are in order. */
export type Rule = (slots: readonly Slot[], removals: readonly Removed[]) => (number | undefined)[];

/** A slot whose window contains a removal, and the pills that it lacks. */
interface Open {
  index: number;
  slot: Slot;
  lacks: number;
}

/** Which of the open slots a removal is the dose of; there is at least one. */
type Choose = (open: readonly [Open, ...Open[]], removal: Removed, slots: readonly Slot[]) => Open;

/** A rule that looks at the removals one after the other, and at each removal alone. */
function oneByOne(choose: Choose): Rule {
  return (slots, removals) => {
    const taken = slots.map(() => 0);
    let first = 0;
    return removals.map((removal) => {
      const time = removal.time.getTime();
      while (first < slots.length && time - slots[first]!.missed_at.getTime() > 0) first += 1;
      const open: Open[] = [];
      for (let index = first; index < slots.length; index += 1) {
        const slot = slots[index]!;
        if (slot.early_from.getTime() > time) break;
        const lacks = slot.pills - taken[index]!;
        if (time <= slot.missed_at.getTime() && lacks > 0) open.push({ index, slot, lacks });
      }
      const [one, ...others] = open;
      if (!one) return undefined;
      const chosen = choose([one, ...others], removal, slots);
      taken[chosen.index]! += Math.min(chosen.lacks, removal.pills);
      return chosen.index;
    });
  };
}

const distance = ({ slot }: Open, { time }: Removed): number =>
  Math.abs(slot.scheduled_at.getTime() - time.getTime());

/** The rule of version 0.1: a whole dose passes over a slot that is partly taken. */
const earliest: Choose = (open, { pills }) => {
  const [first] = open;
  const { slot, lacks } = first;
  if (lacks === slot.pills || pills <= lacks) return first;
  const next = open.find((one) => one.lacks === one.slot.pills);
  return next?.slot.pills === pills ? next : first;
};

const nearest: Choose = (open, removal) =>
  open.reduce((best, one) => (distance(one, removal) < distance(best, removal) ? one : best));

/** The earliest, unless the removal is shortly before the time of another, or after it. */
const earliestUnlessNear: Choose = (open, removal, slots) => {
  const time = removal.time.getTime();
  const near = open.findLast(({ slot }) => {
    const lateAfter = slot.late_at.getTime() - slot.scheduled_at.getTime();
    return time >= slot.scheduled_at.getTime() - lateAfter;
  });
  return near ?? earliest(open, removal, slots);
};

/** What belongs to a slot ends at a share of the gap to the next. */
const boundary =
  (share: number): Choose =>
  (open, removal, slots) => {
    const time = removal.time.getTime();
    const own = open.find(({ slot, index }) => {
      const due = slot.scheduled_at.getTime();
      const next = slots[index + 1]?.scheduled_at.getTime() ?? Infinity;
      return time <= due + share * (next - due);
    });
    return own ?? open.at(-1)!;
  };

/** Least total distance in order, by dynamic programming; a removal or a slot that is left out costs `leftOut`. */
function leastDistance(late: number, leftOutMs: number): Rule {
  return (slots, removals) => {
    // pills of one removal count for one slot, and several removals may count for one
    const rows = removals.length + 1;
    const columns = slots.length + 1;
    const chosen: (number | undefined)[] = removals.map(() => undefined);
    // only slots near the removals matter: the lists are cut where no window overlaps
    const cost = new Float64Array(rows * columns).fill(Infinity);
    const from = new Int32Array(rows * columns);
    const at = (removal: number, slot: number): number => removal * columns + slot;
    for (let slot = 0; slot < columns; slot += 1) cost[at(0, slot)] = 0;
    for (let removal = 1; removal < rows; removal += 1)
      for (let slot = 0; slot < columns; slot += 1) {
        // not used
        let best = cost[at(removal - 1, slot)]! + leftOutMs;
        let step = 0;
        if (slot > 0) {
          if (cost[at(removal, slot - 1)]! < best) {
            best = cost[at(removal, slot - 1)]!;
            step = -1;
          }
          // the last `count` removals make the dose
          let pills = 0;
          let total = 0;
          for (let count = 1; count <= removal; count += 1) {
            const one = removals[removal - count]!;
            const { scheduled_at, early_from, missed_at, pills: whole } = slots[slot - 1]!;
            if (one.time < early_from || one.time > missed_at) break;
            pills += one.pills;
            if (count > 1 && pills > whole) break;
            const off = one.time.getTime() - scheduled_at.getTime();
            total += off < 0 ? -off : off * late;
            const sum = cost[at(removal - count, slot - 1)]! + total;
            if (sum < best) {
              best = sum;
              step = count;
            }
          }
        }
        cost[at(removal, slot)] = best;
        from[at(removal, slot)] = step;
      }
    let removal = removals.length;
    let slot = slots.length;
    while (removal > 0) {
      const step = from[at(removal, slot)]!;
      if (step === 0) removal -= 1;
      else if (step === -1) slot -= 1;
      else {
        for (let count = 0; count < step; count += 1) chosen[removal - 1 - count] = slot - 1;
        removal -= step;
        slot -= 1;
      }
    }
    return chosen;
  };
}

/** What the product does: the boundary, and a whole dose passes over a slot that is partly taken. */
const product: Rule = (slots, removals) => {
  const slotOf = new Map<string, number>();
  for (const [index, { matched }] of matchRemovals(slots, removals).slots.entries())
    for (const { removal_id } of matched) slotOf.set(removal_id, index);
  return removals.map(({ id }) => slotOf.get(id));
};

/** The rules that were tried, by their names in the table. */
export const RULES: Record<string, Rule> = {
  'boundary at 0.75 of the gap; a whole dose passes over a part (the product)': product,
  'earliest open': oneByOne(earliest),
  'nearest open': oneByOne(nearest),
  'earliest open, unless within `late_after` before another': oneByOne(earliestUnlessNear),
  ...Object.fromEntries(
    [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8].map((share) => [
      `boundary at ${share} of the gap`,
      oneByOne(boundary(share)),
    ]),
  ),
  'least total distance in order': leastDistance(1, 24 * 3_600_000),
  'least total distance in order, lateness counts 0.6': leastDistance(0.6, 24 * 3_600_000),
};
