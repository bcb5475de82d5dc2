import type { Random } from '../../simulator/random.js';
import { HOUR, MINUTE, SECOND } from './oracle/facts.js';
import type { StaffAct } from './oracle/tell.js';
import type { Telling } from './telling.js';

/** Something that staff do about all open alerts of a kind of a bottle. */
export interface StaffWork extends StaffAct {
  bottle: string;
  kind: string;
}

/** Nobody acts on an alert that may not have been raised yet, or is about to end. */
const ROOM = 20 * MINUTE;
/** A person's "resolved" is for what nothing else ends, or for good. */
const CAN_RESOLVE = ['bottle_silent', 'bottle_open', 'extra_dose'];

/** Draws what staff do: at most one thing for each bottle and kind. */
export function drawStaffWork(random: Random, tellings: readonly Telling[], until: number): StaffWork[] {
  const work = new Map<string, StaffWork>();
  for (const { story } of tellings) {
    const { bottle, kind, raisedBy, ends } = story;
    const [from, to] = [
      raisedBy + ROOM,
      Math.min((ends[0]?.at ?? Infinity) - ROOM, until, raisedBy + 9 * HOUR),
    ];
    const at = Math.floor(random.between(from, to) / SECOND) * SECOND + 773;
    const act = CAN_RESOLVE.includes(kind) && random.chance(0.3) ? 'resolve' : 'acknowledge';
    if (from + MINUTE > to || !random.chance(0.25) || work.has(`${bottle} ${kind}`)) continue;
    const same = tellings.filter((other) => other.story.bottle === bottle && other.story.kind === kind);
    // an alert that comes or goes as staff act may be meant or not
    const isClear = same.every((other) => other.standsAround(at, ROOM) || !other.standsAround(at, -ROOM));
    if (!isClear) continue;
    work.set(`${bottle} ${kind}`, { bottle, kind, act, at });
    for (const other of same) if (other.standsAround(at, 0)) other.acts.push({ act, at });
  }
  return [...work.values()];
}
