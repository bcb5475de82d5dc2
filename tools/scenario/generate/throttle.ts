import type { AlertNotifications } from './alert-notifications.js';
import { type Disturbances, disturbedSpans } from './disturbances.js';
import { HOUR, MINUTE, type Span } from './oracle/facts.js';
import type { ExpectedNotification } from './oracle/expected-notification.js';

/** A person gets so many messages over one channel in the window (`RECIPIENT_THROTTLE`). */
const TIMES = 1;
const WINDOW = HOUR;
export const THROTTLE = `${TIMES}/h`;
/** These never wait. */
const PASSES = [
  'missed_dose',
  'doses_missed_in_a_row',
  'extra_dose',
  'coverage_gap',
  'dose_reminder',
  'help_requested',
];
/** Nothing about an alert changes so soon after a delayed message about it. */
const ROOM = 20 * MINUTE;

interface Waiting {
  about: AlertNotifications;
  message: ExpectedNotification;
  at: number;
  wasDelayed: boolean;
}

/**
 * Delays what goes beyond a person's limit.
 *
 * @param own the notifications of one user's bottles
 * @returns whether the result is certain: not if it depends on a disturbance, or if a delayed message may be out of date
 */
export function throttle(own: readonly AlertNotifications[], disturbances: Disturbances): boolean {
  const all = own.flatMap((about) =>
    about.messages.map((message): Waiting => ({ about, message, at: message.at, wasDelayed: false })),
  );
  const disturbed = disturbedSpans(disturbances);
  const routes = new Map<string, Waiting[]>();
  for (const one of all) {
    const { who, channel, endpoint, sms } = one.message;
    // of SMS the limit is one of each number
    const route = `${sms?.number ?? who} ${channel} ${endpoint}`;
    if (who !== 'operator') routes.set(route, [...(routes.get(route) ?? []), one]);
  }
  for (const route of routes.values()) {
    const vague = route.filter(({ message }) => message.by > message.at);
    const spans = [...disturbed, ...vague.map(({ message }) => ({ from: message.at, to: message.by }))];
    if (spans.some((span) => isCrowded(route, span))) return false;
    if (!delay(route, route[0]!.message.channel === 'email')) return false;
  }
  return true;
}

/** Whether the limit matters around a time in which messages may be late. */
function isCrowded(route: readonly Waiting[], { from, to }: Span): boolean {
  const near = route.filter(({ at }) => from - WINDOW <= at && at <= to + WINDOW);
  return near.length > TIMES && near.some(({ message }) => !PASSES.includes(message.kind));
}

/** @param together whether what is due at one time is one message */
function delay(route: readonly Waiting[], together: boolean): boolean {
  const waiting = [...route];
  const sent: number[] = [];
  while (waiting.length > 0) {
    waiting.sort((one, other) => one.at - other.at);
    const { at } = waiting[0]!;
    const group = waiting.splice(0, together ? waiting.filter((one) => one.at === at).length : 1);
    const recent = sent.filter((moment) => moment > at - WINDOW);
    const mayWait = ({ message, wasDelayed }: Waiting): boolean =>
      !wasDelayed && !PASSES.includes(message.kind);
    // which of two that are due at one time counts first is left open
    const tied = waiting.filter((one) => one.at === at);
    if (!together && tied.length > 0 && [...group, ...tied].some(mayWait)) return false;
    const waits = group.every(mayWait);
    if (!waits || recent.length < TIMES) {
      sent.push(at);
      continue;
    }
    const until = recent.at(-TIMES)! + WINDOW;
    for (const { about, message } of group) {
      if (!about.staysTrue(message, until + ROOM)) return false;
      about.delay(message, until);
      waiting.push({ about, message, at: until, wasDelayed: true });
    }
  }
  return true;
}
