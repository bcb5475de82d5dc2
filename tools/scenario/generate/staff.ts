import type { Random } from '../../simulator/random.js';
import { HOUR, MINUTE, SECOND } from './oracle/facts.js';
import type { StaffAction } from './oracle/notifications.js';
import type { AlertNotifications } from './alert-notifications.js';

/** Something that staff do about all open alerts of a kind of a bottle. */
export interface StaffWork extends StaffAction {
  bottle: string;
  kind: string;
}

/** Nobody acts on an alert that may not have been raised yet, or is about to end. */
const ROOM = 20 * MINUTE;
/** Draws staff actions: at most one for each bottle and kind. */
export function drawStaffWork(
  random: Random,
  allNotifications: readonly AlertNotifications[],
  until: number,
): StaffWork[] {
  const work = new Map<string, StaffWork>();
  for (const { alert } of allNotifications) {
    const { bottle, kind, raisedBy, ends } = alert;
    const [from, to] = [
      raisedBy + ROOM,
      Math.min((ends[0]?.at ?? Infinity) - ROOM, until, raisedBy + 9 * HOUR),
    ];
    const at = Math.floor(random.between(from, to) / SECOND) * SECOND + 773;
    const action = random.chance(0.3) ? 'close' : 'acknowledge';
    const notify = random.chance(0.7);
    if (from + MINUTE > to || !random.chance(0.25) || work.has(`${bottle} ${kind}`)) continue;
    const same = allNotifications.filter(
      (other) => other.alert.bottle === bottle && other.alert.kind === kind,
    );
    if (same.some((other) => other.alert.flapping)) continue;
    // an alert that is raised or ends at this moment may or may not be affected
    const isClear = same.every((other) => other.isOpenAround(at, ROOM) || !other.isOpenAround(at, -ROOM));
    if (!isClear) continue;
    work.set(`${bottle} ${kind}`, { bottle, kind, action, at, notify });
    for (const other of same) if (other.isOpenAround(at, 0)) other.actions.push({ action, at, notify });
  }
  return [...work.values()];
}
