import type { Random } from '../../random.js';
import { HOUR, MINUTE, SECOND, type Span } from './oracle/facts.js';
import type { StaffAction } from './oracle/due-messages.js';
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
    const action = drawAction(random);
    const notify = random.chance(0.7);
    const wakesAt = at + Math.floor(random.between(30, 200)) * MINUTE;
    if (
      kind === 'dose_reminder' ||
      from + MINUTE > to ||
      !random.chance(0.25) ||
      work.has(`${bottle} ${kind}`)
    )
      continue;
    const same = allNotifications.filter(
      (other) => other.alert.bottle === bottle && other.alert.kind === kind,
    );
    if (same.some((other) => other.alert.flapping)) continue;
    // an alert that is raised or ends at this moment may or may not be affected
    const isClear = same.every((other) => other.isOpenAround(at, ROOM) || !other.isOpenAround(at, -ROOM));
    const open = same.filter((other) => other.isOpenAround(at, 0));
    if (!isClear || (action === 'snooze' && !open.every((one) => canSleep(one, at, wakesAt)))) continue;
    const done = { action, at, notify, ...(action === 'snooze' && { until: wakesAt }) };
    work.set(`${bottle} ${kind}`, { bottle, kind, ...done });
    for (const other of open) other.actions.push(done);
  }
  return [...work.values()];
}

/** Draws who acknowledges a late dose and takes nothing: the patient. Of alerts about which staff do nothing. */
export function drawAcknowledgements(
  random: Random,
  allNotifications: readonly AlertNotifications[],
  until: number,
): StaffWork[] {
  const work: StaffWork[] = [];
  for (const one of allNotifications) {
    const { bottle, kind, raisedBy, ends } = one.alert;
    const [from, to] = [raisedBy + ROOM, Math.min((ends[0]?.at ?? Infinity) - ROOM, until)];
    const at = Math.floor(random.between(from, to) / SECOND) * SECOND + 773;
    if (!random.chance(0.4) || kind !== 'missed_dose' || from + MINUTE > to) continue;
    const others = allNotifications.filter(
      (other) => other.alert.bottle === bottle && other.alert.kind === kind,
    );
    const same = others.filter((other) => other.isOpenAround(at, -ROOM));
    if (same.length > 1 || one.actions.length > 0) continue;
    const done = { action: 'acknowledge', at } as const;
    one.actions.push(done);
    work.push({ bottle, kind, ...done });
  }
  return work;
}

/** How long an alert stands before staff settle it, if nobody else does. */
const SETTLED_AFTER: Span = { from: 4 * HOUR, to: 30 * HOUR };
/** Some are forgotten. */
const SETTLED = 0.9;

/** Draws how staff settle what would be repeated for as long as it stands: of alerts that nobody has closed. */
export function drawSettling(
  random: Random,
  allNotifications: readonly AlertNotifications[],
  until: number,
): StaffWork[] {
  const work: StaffWork[] = [];
  for (const one of allNotifications.toSorted((a, b) => a.alert.raisedBy - b.alert.raisedBy)) {
    const { bottle, kind, raisedBy } = one.alert;
    const after = random.between(SETTLED_AFTER.from, SETTLED_AFTER.to);
    const at = Math.floor((raisedBy + after) / SECOND) * SECOND + 773;
    const action = random.pick(['acknowledge', 'close'] as const);
    const notify = random.chance(0.7);
    if (kind === 'dose_reminder' || !random.chance(SETTLED) || at > until || !one.isOpenAround(at, ROOM))
      continue;
    const same = allNotifications.filter(({ alert }) => alert.bottle === bottle && alert.kind === kind);
    const isClear = same.every((other) => other.isOpenAround(at, ROOM) || !other.isOpenAround(at, -ROOM));
    const open = same.filter((other) => other.isOpenAround(at, 0) && !hasBeen(other, action));
    if (!isClear || same.some(({ alert }) => alert.flapping) || !open.includes(one)) continue;
    // what staff do about one that they, or a promise, will treat later is left out
    if (open.some(({ actions }) => actions.some((other) => at - ROOM < (other.until ?? other.at)))) continue;
    const done = { action, at, notify };
    work.push({ bottle, kind, ...done });
    for (const other of open) other.actions.push(done);
  }
  return work;
}

/** Whether staff have closed an alert, or acknowledged it before they would again. */
function hasBeen({ actions }: AlertNotifications, action: StaffAction['action']): boolean {
  return actions.some((done) => done.action === 'close' || done.action === action);
}

function drawAction(random: Random): StaffAction['action'] {
  const draw = random.next();
  if (draw < 0.25) return 'close';
  return draw < 0.55 ? 'snooze' : 'acknowledge';
}

/** Whether the alert outlasts a snooze, and nothing else happens to it as the snooze begins and ends, nor anybody sleeps. */
export function canSleep(one: AlertNotifications, at: number, until: number, room = ROOM): boolean {
  const edges = [at, until].map((edge) => ({ from: edge - room, to: edge + room }));
  return (
    one.isOpenAround(until, room) &&
    one.isAwakeWithin({ from: at - room, to: until + room }) &&
    edges.every((edge) => one.changesWithin(edge) === 0)
  );
}
