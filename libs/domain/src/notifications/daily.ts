import type { Alert } from '../alerts/alert.js';
import { alertKindFacts } from '../alerts/alert-kinds.js';
import { namingOnly, unconfirmedDosesOf } from '../alerts/kinds/bottle-silent/silence.js';
import { DAY_MS, MINUTE_MS } from '../time/durations.js';
import { arrivedAttempts, type Delivery, type DeliveryResult, names } from './delivery.js';
import { dueSteps } from './escalation.js';
import { ALERTING_EVENTS } from './notification-events.js';
import { isAnotherThan, ofSameAddress } from './order.js';
import type { Person } from './persons.js';

/**
 * So long after a full day since an alert was raised its daily message is due. Many a silence is raised when a dose ends,
 * and the dose of the next day ends at the same moment: its message is to name it.
 */
export const AFTER_DAY_MS = 15 * MINUTE_MS;

/** A message about the doses that an alert has come to hide: when it was due, and to whom. */
export interface DailyStep {
  due: Date;
  to: Person;
}

/**
 * The daily messages that are due: that of a dose has come due since the last check. They go to everyone whom a step of
 * the policy has reached so far. There are none in a snooze: the step after it names all doses.
 */
export function dailySteps(alert: Alert, now: Date): DailyStep[] {
  const { raised_at, stepped_until = raised_at, escalation } = alert;
  const due = duesOf(alert).findLast((one) => stepped_until < one && one <= now);
  if (!due || alert.snoozed_until) return [];
  const reached = dueSteps(escalation, raised_at, undefined, now).map(({ to }) => to);
  return [...new Set(reached)].map((to) => ({ due, to }));
}

/** When the next daily message is due, if a dose was added for it. */
export function nextDailyAt(alert: Alert, now: Date): Date | undefined {
  return duesOf(alert).find((due) => due > now);
}

/** When the daily messages of an open alert are due, first to last. */
function duesOf({ kind, open, raised_at, doses_added = [] }: Alert): Date[] {
  if (open !== true || alertKindFacts(kind).daily !== true) return [];
  const dues = doses_added.map(({ at, due_at = dailyAfter(raised_at, at) }) => due_at);
  return dues.sort((one, other) => one.getTime() - other.getTime());
}

/** When the first day is full, and {@link AFTER_DAY_MS}, at a moment or after it. */
function dailyAfter(raisedAt: Date, at: Date): Date {
  const days = Math.max(1, Math.ceil((at.getTime() - raisedAt.getTime() - AFTER_DAY_MS) / DAY_MS));
  return dailyAt(raisedAt, days);
}

/** When the message of a full day is due. */
function dailyAt(raisedAt: Date, day: number): Date {
  return new Date(raisedAt.getTime() + day * DAY_MS + AFTER_DAY_MS);
}

const DAILY = 'daily:';

/** The `step` of a daily notification: its day, and of one that is due between two, when it is. */
export function dailyStepName({ raised_at }: Pick<Alert, 'raised_at'>, due: Date): string {
  const day = Math.floor((due.getTime() - raised_at.getTime() - AFTER_DAY_MS) / DAY_MS);
  const isOfDay = due.getTime() === dailyAt(raised_at, day).getTime();
  return `${DAILY}${day}${isOfDay ? '' : `:${due.getTime()}`}`;
}

export const isDaily = ({ step }: Pick<Delivery, 'step'>): boolean => step.startsWith(DAILY);

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
    .filter(({ event }) => ALERTING_EVENTS.includes(event))
    .flatMap(arrivedAttempts);
  const isNamed = (dose: Date): boolean => {
    const added = alert.doses_added?.find((one) => one.dose.getTime() === dose.getTime());
    // of one that was added, it counts whether it was known already when the notification was composed
    return attempts.some((one) => !added || (one.at >= added.at && names(one, dose)));
  };
  return namingOnly(alert, (dose) => !isNamed(dose));
}
