import type { Random } from '../../random.js';
import type { AlertNotifications } from './alert-notifications.js';
import type { GeneratedBottle } from './generated-bottle.js';
import { MINUTE } from './oracle/facts.js';

/** No bottle is erased while something about it changes. */
const ROOM = 20 * MINUTE;
/** How long after it was raised its bottle is erased, at most. */
const EARLIER = 6 * 60 * MINUTE;

/** Draws which bottles staff erase while an alert of theirs is open, after all else that staff do about them. */
export function drawErasures(
  random: Random,
  bottles: GeneratedBottle[],
  allNotifications: readonly AlertNotifications[],
  until: number,
): void {
  for (const bottle of bottles) {
    const own = allNotifications.filter(({ alert }) => alert.bottle === bottle.plan.key);
    const acted = Math.max(0, ...own.flatMap(({ actions }) => actions.map(({ at, until = at }) => until)));
    const [alert] = own.filter(({ alert: { raisedBy } }) => raisedBy > acted);
    if (!alert || !random.chance(0.12)) continue;
    const { raisedBy, ends } = alert.alert;
    const latest = Math.min(raisedBy + EARLIER, ends[0]?.at ?? Infinity, until);
    const at = Math.floor(random.between(raisedBy + ROOM, latest));
    const isClear =
      at < until &&
      alert.isOpenAround(at, ROOM) &&
      own.every((other) => other.isOpenAround(at, ROOM) || !other.isOpenAround(at, -ROOM));
    if (!isClear) continue;
    bottle.erasedAt = at;
    for (const other of own) other.erasedAt = at;
  }
}
