import {
  type BottleState,
  type GroupChange,
  type Id,
  NEWEST,
  type StateChange,
  type UnjudgedRemoval,
} from './bottle-state.js';
import { armedByVitals, type Thresholds } from './deadlines.js';
import { PUT_BACK_WITHIN_MS } from '../doses/put-back.js';

/** A heartbeat in the log. */
export interface LoggedHeartbeat<I extends Id = Id> {
  _id: I;
  bottle_id: I;
  /** Receipt time. */
  time: Date;
  battery_percent?: number;
  rssi_dbm?: number;
  mass_of_contents?: number;
  number_of_pills?: number;
}

/** An open or close in the log. */
export interface LoggedAction<I extends Id = Id> {
  _id: I;
  bottle_id: I;
  action: 'opened' | 'closed';
  /** Event time. */
  time: Date;
  received_at: Date;
  /** Absent if the bottle did not report it, or nothing that could be meant. */
  mass_of_contents?: number;
  number_of_pills?: number;
  /** Only if closed. */
  pills_taken?: number;
}

/** A report that is in the log. */
export type LoggedReport<I extends Id = Id> = (
  | { kind: 'heartbeat'; document: LoggedHeartbeat<I> }
  | { kind: 'action'; document: LoggedAction<I> }
) & {
  /** Receipt time of this copy; a repeated action was received before, too. */
  receivedAt: Date;
  /** Device clock minus ours, milliseconds; 0 if right. */
  clockOffset: number;
};

/** We had contact with the bottle: arms `silent_at` again, and ends what lasts until there is one. The same for a whole group. */
export function onContact(
  receivedAt: Date,
  silentAfter: number,
  bad_clock?: BottleState['bad_clock'],
): StateChange {
  const silent_at = new Date(receivedAt.getTime() + silentAfter);
  return {
    raise: { last_heard_at: receivedAt, silent_at, ...(bad_clock && { bad_clock }) },
    clear: ['quiet', 'vitals'],
    end: ['alerted_silence', 'dose_wait'],
  };
}

/** The present follows the newest action; a removal is put on the list of those to be judged. */
export function onAction(action: LoggedAction, thresholds: Thresholds): StateChange[] {
  const present = onNewestAction(action, thresholds);
  return action.action === 'opened' ? [present] : [present, onClosings([action])];
}

/**
 * The doses are to be checked. A closing without a removal may be a refill, or put back what was removed shortly before, and
 * one that does not say what was taken out may be a removal: then the doses of that time are judged again.
 */
function onClosings(closings: readonly LoggedAction[]): StateChange {
  const first = closings.reduce((one, other) => (other.received_at < one.received_at ? other : one));
  const removals = closings.filter(({ pills_taken = 0 }) => pills_taken > 0);
  const { lower, ...change } = toJudge(
    first.received_at,
    ...removals.map(({ _id: id, time }) => ({ id, time })),
  );
  const again = closings
    .filter(
      ({ pills_taken, number_of_pills }) =>
        pills_taken === undefined || (pills_taken <= 0 && number_of_pills !== undefined),
    )
    .map(({ time }) => time.getTime() - PUT_BACK_WITHIN_MS);
  const judge_again_from = again.length > 0 && new Date(Math.min(...again));
  return { ...change, lower: { ...lower, ...(judge_again_from && { judge_again_from }) } };
}

/** The doses are to be checked from a moment on, with removals that nobody has judged. */
export function toJudge(from: Date, ...removals: UnjudgedRemoval[]): StateChange {
  return {
    lower: { dose_due_at: from },
    ...(removals.length > 0 && { add: { unjudged_removals: removals } }),
  };
}

function onNewestAction(action: LoggedAction, thresholds: Thresholds): StateChange {
  const last_action = {
    id: action._id,
    action: action.action,
    time: action.time,
    received_at: action.received_at,
    ...(action.mass_of_contents !== undefined && { mass_of_contents: action.mass_of_contents }),
    ...(action.number_of_pills !== undefined && { number_of_pills: action.number_of_pills }),
  };
  return action.action === 'opened'
    ? {
        ifNewer: 'last_action',
        set: { last_action, open: true, open_overdue_at: openOverdueAt(action, thresholds) },
        clear: ['open_inhibited'],
        end: ['alerted_opening'],
      }
    : {
        ifNewer: 'last_action',
        set: { last_action },
        clear: ['open_inhibited', 'open', 'open_overdue_at'],
        end: ['alerted_opening'],
      };
}

/**
 * When an opening has lasted too long. One that arrives later than that belongs to a backlog whose closing may be on
 * its way: the deadline is as long after its receipt as it is late, at most the grace for a backlog.
 */
export function openOverdueAt(
  { time, received_at }: Pick<LoggedAction, 'time' | 'received_at'>,
  { openAfter, backlogGrace }: Thresholds,
): Date {
  const due = time.getTime() + openAfter;
  const received = received_at.getTime();
  const late = received - time.getTime();
  return new Date(received < due ? due : received + Math.min(late, backlogGrace));
}

/**
 * The changes of a group of reports, as few as there can be: each bottle is in one of them, and bottles that sent no
 * action and made contact alike change together.
 */
export function onReports<I extends Id>(
  reports: readonly LoggedReport<I>[],
  thresholds: Thresholds,
): GroupChange<I>[] {
  const alike = new Map<string, GroupChange<I>>();
  const changes: GroupChange<I>[] = [];
  for (const { bottle, at, armed, bad_clock, newest, closings } of contactsOf(reports, thresholds).values()) {
    const name = armed || bad_clock ? JSON.stringify([at, armed, bad_clock]) : String(at.getTime());
    const known = newest ? undefined : alike.get(name);
    if (known) {
      known.bottles.push(bottle);
      continue;
    }
    const contact = onContact(at, thresholds.silentAfter, bad_clock);
    const change = armed ? { ...contact, lower: armed } : contact;
    if (newest) changes.push({ bottles: [bottle], ...withActions(change, newest, closings, thresholds) });
    else alike.set(name, { bottles: [bottle], change });
  }
  return [...alike.values(), ...changes];
}

/** A contact that brought actions: one change, and what holds of it if a newer action is known. */
function withActions(
  contact: StateChange,
  newest: LoggedAction,
  closings: readonly LoggedAction[],
  thresholds: Thresholds,
): Required<Pick<GroupChange, 'change' | 'otherwise'>> {
  const judged = closings.length > 0 ? onClosings(closings) : undefined;
  const otherwise = judged
    ? { ...contact, ...judged, lower: { ...contact.lower, ...judged.lower } }
    : contact;
  const present = onNewestAction(newest, thresholds);
  const change = {
    ...otherwise,
    ...present,
    clear: [...contact.clear!, ...present.clear!],
    end: [...contact.end!, ...present.end!],
  };
  return {
    change,
    otherwise:
      newest.action === 'opened'
        ? { ...otherwise, lower: earliest(onLateOpening(newest), otherwise.lower)! }
        : otherwise,
  };
}

/** An opening that arrives after its closing: the doses of its time are judged again, for it tells when pills were removed. */
function onLateOpening({ time, received_at }: LoggedAction): StateChange['lower'] {
  return { dose_due_at: received_at, judge_again_from: time };
}

type Armed = ReturnType<typeof armedByVitals>;

/** A bottle's last contact in a group, and the deadlines that any of its heartbeats in the group arm. */
interface Contact<I> {
  bottle: I;
  at: Date;
  armed: Armed;
  /** Its last contact by a wrong clock; at one moment that of the greater offset. */
  bad_clock: BottleState['bad_clock'];
  newest: LoggedAction | undefined;
  closings: LoggedAction[];
}

function contactsOf<I extends Id>(
  reports: readonly LoggedReport<I>[],
  thresholds: Thresholds,
): Map<string, Contact<I>> {
  const contacts = new Map<string, Contact<I>>();
  for (const { kind, document, receivedAt: at, clockOffset: offset_ms } of reports) {
    const id = document.bottle_id.toHexString();
    const armed = kind === 'heartbeat' ? armedByVitals(document, thresholds) : undefined;
    const bad_clock = offset_ms === 0 ? undefined : { at, offset_ms };
    let known = contacts.get(id);
    if (!known) {
      known = { bottle: document.bottle_id, at, armed, bad_clock, newest: undefined, closings: [] };
      contacts.set(id, known);
    } else {
      if (known.at < at) known.at = at;
      known.armed = earliest(known.armed, armed);
      known.bad_clock = later(known.bad_clock, bad_clock);
    }
    if (kind !== 'action') continue;
    if (!known.newest || isNewer(document, known.newest)) known.newest = document;
    if (document.action === 'closed') known.closings.push(document);
  }
  return contacts;
}

/** By {@link NEWEST}. */
function isNewer(one: LoggedAction, other: LoggedAction): boolean {
  for (const { field, values } of NEWEST.last_action) {
    const rank = (action: LoggedAction): string | number => {
      const value = field === 'id' ? action._id.toHexString() : action[field as 'time' | 'action'];
      return typeof value === 'string' ? (values ? values.indexOf(value) : value) : value.getTime();
    };
    const [first, second] = [rank(one), rank(other)];
    if (first !== second) return first > second;
  }
  return false;
}

function earliest(one: StateChange['lower'], other: StateChange['lower']): StateChange['lower'] {
  if (!one || !other) return one ?? other;
  const earlier = { ...one };
  for (const [field, at] of Object.entries(other) as [keyof typeof other, Date][]) {
    const known = earlier[field];
    if (!known || at < known) earlier[field] = at;
  }
  return earlier;
}

function later(one: BottleState['bad_clock'], other: BottleState['bad_clock']): BottleState['bad_clock'] {
  if (!one || !other) return one ?? other;
  return (other.at.getTime() - one.at.getTime() || other.offset_ms - one.offset_ms) > 0 ? other : one;
}
