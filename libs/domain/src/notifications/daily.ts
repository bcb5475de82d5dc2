import type { Alert } from '../alerts/alert.js';
import { alertKindFacts } from '../alerts/alert-kinds.js';
import { namingOnly, unconfirmedDosesOf } from '../alerts/kinds/bottle-silent/silence.js';
import { DAY_MS, MINUTE_MS } from '../time/durations.js';
import { type Delivery, type DeliveryResult, mayHaveArrived } from './delivery.js';
import { dueSteps } from './escalation.js';
import { ALERTING_EVENTS } from './notification-events.js';
import { isAnotherThan, ofSameAddress } from './order.js';
import type { Person } from './persons.js';

/**
 * So long after a full day since an alert was raised its daily message is due. Many a silence is raised when a dose ends,
 * and the dose of the next day ends at the same moment: its message is to name it.
 */
export const AFTER_DAY_MS = 15 * MINUTE_MS;

/** A message about the doses that an alert has come to hide: after so many full days since it was raised, and to whom. */
export interface DailyStep {
  day: number;
  to: Person;
}

/**
 * The daily messages that are due: their time has come since the last check, and doses were added since. They go to everyone whom
 * a step of the policy has reached so far. There are none in a snooze: the step after it names all doses.
 */
export function dailySteps(alert: Alert, now: Date): DailyStep[] {
  const { raised_at, stepped_until = raised_at, escalation } = alert;
  const [before, day] = [fullDays(raised_at, stepped_until), fullDays(raised_at, now)];
  if (!isDailyKind(alert) || alert.snoozed_until || day <= before || !hasDoseSince(alert, before)) return [];
  const reached = dueSteps(escalation, raised_at, undefined, now).map(({ to }) => to);
  return [...new Set(reached)].map((to) => ({ day, to }));
}

/** When the next daily message is due, if a dose was added since the last one was. */
export function nextDailyAt(alert: Alert, now: Date): Date | undefined {
  const day = fullDays(alert.raised_at, now);
  if (!isDailyKind(alert) || !hasDoseSince(alert, day)) return undefined;
  return new Date(dailyAt(alert.raised_at, day + 1));
}

const isDailyKind = ({ kind, open }: Alert): boolean => open === true && alertKindFacts(kind).daily === true;

function hasDoseSince({ raised_at, doses_added = [] }: Alert, day: number): boolean {
  return doses_added.some(({ at }) => at.getTime() > dailyAt(raised_at, day));
}

/** When the message of a day is due; the day 0 is that of the raising. Epoch milliseconds. */
function dailyAt(raisedAt: Date, day: number): number {
  return raisedAt.getTime() + (day > 0 ? day * DAY_MS + AFTER_DAY_MS : 0);
}

/** How many daily messages have been due. */
function fullDays(raisedAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - raisedAt.getTime() - AFTER_DAY_MS) / DAY_MS));
}

const DAILY = 'daily:';

/** The `step` of a daily notification. */
export function dailyStepName(day: number): string {
  return `${DAILY}${day}`;
}

const isDaily = ({ step }: Delivery): boolean => step.startsWith(DAILY);

/**
 * A daily notification is not sent if its recipient knows of all doses.
 *
 * @param shown the alert as the notification would show it.
 */
export function nothingNew(delivery: Delivery, shown: Alert): DeliveryResult | undefined {
  if (!isDaily(delivery) || unconfirmedDosesOf(shown).length > 0) return undefined;
  return { kind: 'cancelled', reason: 'no dose since the last notification' };
}

/**
 * An alert as a notification shows it: a daily one names the doses that were added since the last notification that its
 * recipient got, or may have got; any other names all.
 *
 * @param ofAlert all notifications about the alert
 */
export function withDosesSince<A extends Alert>(
  alert: A,
  delivery: Delivery,
  ofAlert: readonly Delivery[],
): A {
  if (!isDaily(delivery)) return alert;
  const attempts = ofSameAddress(delivery, ofAlert)
    .filter(isAnotherThan(delivery))
    .filter((other) => ALERTING_EVENTS.includes(other.event) && mayHaveArrived(other))
    .flatMap((other) => other.attempts.map(({ at }) => at.getTime()));
  const last = Math.max(...attempts);
  const addedAt = (dose: Date): Date =>
    alert.doses_added?.find((added) => added.dose.getTime() === dose.getTime())?.at ?? alert.raised_at;
  return namingOnly(alert, (dose) => addedAt(dose).getTime() > last);
}
