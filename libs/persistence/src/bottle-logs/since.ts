import type { Types } from 'mongoose';

const DAY_MS = 24 * 60 * 60_000;

/** A bottle, and from which moment on something of it is asked. */
export interface Since {
  bottle_id: Types.ObjectId;
  since: Date;
}

/** Bottles that one query asks for, from the earliest moment of any of them. */
export interface SinceGroup {
  ids: Types.ObjectId[];
  since: Date;
}

/**
 * Puts bottles together whose moments lie in one day: a query of the group reads at most a day too much of
 * each, also when one bottle of a page lags weeks behind the others.
 */
export function byDay(wanted: readonly Since[]): SinceGroup[] {
  const groups = new Map<number, SinceGroup>();
  for (const { bottle_id, since } of wanted) {
    const day = Math.floor(since.getTime() / DAY_MS);
    const group = groups.get(day) ?? { ids: [], since };
    group.ids.push(bottle_id);
    if (since < group.since) group.since = since;
    groups.set(day, group);
  }
  return [...groups.values()];
}
