import type { DoseEndEvidence } from '../alerts/kinds/missed-dose/evidence.js';
import type { Alert } from '../alerts/alert.js';
import { type AlertKind, alertKindFacts, type OfKind } from '../alerts/alert-kinds.js';
import { callingSteps } from '../alerts/kinds/help-requested/help-requested.js';
import { statementIn } from '../alerts/kinds/missed-dose/evidence.js';
import type { Id } from '../bottle-state/bottle-state.js';
import { derivedMessageId } from '../ids/derived-id.js';
import { earliest } from '../time/earliest.js';
import { dailySteps, dailyStepName, isDaily, nextDailyAt } from './daily.js';
import { type Delivery, isBeingSent, mayHaveArrived } from './delivery.js';
import {
  alertingSteps,
  DEFAULT_ESCALATION,
  type DueStep,
  dueSteps,
  nextStepAt,
  type PersonStep,
  remindingSteps,
  SHORTEST_REPEAT_MS,
  stepsFor,
  withoutRepeats,
} from './escalation.js';
import {
  ALERTING_EVENTS,
  type EndEvent,
  isNewFact,
  type NotificationEvent,
  notificationEventFacts,
  reachesEveryone,
} from './notification-events.js';
import { gatheredAt } from './gathering.js';
import { ofSameAddress, wasToFormerCarer } from './order.js';
import { isForOperator, isUser, type Person, personIn } from './persons.js';
import { type Address, type Addressees, isSameAddress, replacementOf } from './recipients.js';
import { addressesOwed, type OwedAddress } from './stand-ins.js';

/** How long what an alert owes is left to the notifier that raises it. Milliseconds. */
export const RAISING_MS = 5_000;
/** No reminder so soon after the last notification: shorter than any interval, by more than sending takes. Milliseconds. */
const TOO_SOON_MS = SHORTEST_REPEAT_MS / 2;

/** An alert that is about to be raised: only that of a reminder counts its steps from what its evidence says. */
type AboutToBeRaised = { end?: { owed?: EndEvent } | undefined } & (
  | { kind: Exclude<AlertKind, 'dose_reminder'>; evidence?: unknown }
  | OfKind<'dose_reminder'>
);

/**
 * The escalation of an alert that is about to be raised, with the time of its first step. A step that is due at once is
 * queued by the notifier that raises the alert; others queue it if that one is killed. No step is sent of an alert that
 * is over when it is raised, and whose end is sent in a summary or not at all, or is what people say.
 *
 * @param policy of the contact, in steps to persons; the default if it has none, or none but reminders.
 */
export function planEscalation(
  policy: readonly PersonStep[] = [],
  found: AboutToBeRaised,
  now: Date,
): { escalation: PersonStep[]; next_step_at?: Date } {
  const { end } = found;
  const escalation = escalationOf(policy, found.kind);
  const isSilent = end && (!end.owed || !hasLaterSteps(end.owed));
  const next = firstOf(escalation, stepsCountFrom(found, now));
  if (isSilent || !next) return { escalation };
  return { escalation, next_step_at: next > now ? next : new Date(now.getTime() + RAISING_MS) };
}

/** Whether the steps that are to come follow an end. */
function hasLaterSteps(event: EndEvent): boolean {
  const { summarizes, settledAs } = notificationEventFacts(event);
  return !summarizes && settledAs === undefined;
}

function escalationOf(policy: readonly PersonStep[], kind: AlertKind): PersonStep[] {
  const { policyOf, goesToOperator, reminds, calls } = alertKindFacts(kind);
  if (reminds) return remindingSteps(policy);
  const set = goesToOperator ? [] : alertingSteps(policy);
  const steps = stepsFor(set.length > 0 ? set : DEFAULT_ESCALATION, policyOf ?? kind);
  if (!calls) return steps;
  // a call is never for nobody
  return callingSteps(steps.length > 0 ? steps : DEFAULT_ESCALATION);
}

/** From when on the steps of an alert count: those of a reminder from the time of its dose. */
function stepsCountFrom(
  alert: { kind: Exclude<AlertKind, 'dose_reminder'> } | OfKind<'dose_reminder'>,
  raisedAt: Date,
): Date {
  return alert.kind === 'dose_reminder' ? alert.evidence.scheduled_at : raisedAt;
}

const stepsFrom = (alert: Alert): Date => stepsCountFrom(alert, alert.raised_at);

const firstOf = (escalation: readonly PersonStep[], from: Date): Date | undefined =>
  nextStepAt(escalation, from, new Date(0));

/** When the first step of an alert's escalation is due; undefined without steps. */
export function firstStepAt(alert: Alert): Date | undefined {
  return firstOf(alert.escalation, stepsFrom(alert));
}

/** With the ids of who stores it. */
type AlertWith<I extends Id> = Alert & { _id: I; bottle_id: I };

/** What an alert owes at a moment by the steps of its escalation. */
export interface OwedSteps<I extends Id> {
  /** Whether steps came due since the last time, or their time has come and none is owed any more. */
  isDue: boolean;
  /** Their notifications, of which some may be left out: see {@link withoutDuplicates}. */
  notifications: Delivery<I>[];
  /** When the next step is due. */
  next: Date | undefined;
}

/** The notifications of the steps that came due since the last time. After the end of an alert they say how it ended. */
export function owedSteps<I extends Id>(
  alert: AlertWith<I>,
  addressees: Addressees,
  now: Date,
): OwedSteps<I> {
  const steps = stepsDue(alert, now);
  const ofSteps = steps.flatMap((step) =>
    addressesOfStep(step.to, alert, addressees).map((address) =>
      alert.open
        ? notification(alert, eventOf(alert, step), stepName(alert, step), address, now)
        : notification(alert, 'missed', 'missed', address, now),
    ),
  );
  const ofDays = dailySteps(alert, now).flatMap(({ due, to }) =>
    addressesOwed(to, alert, addressees).map((address) =>
      notification(alert, 'escalated', dailyStepName(alert, due), address, now),
    ),
  );
  return {
    isDue: steps.length > 0 || (alert.next_step_at !== undefined && alert.next_step_at <= now),
    notifications: [...ofSteps, ...ofDays],
    next: earliest(nextStepAt(policyOf(alert), stepsFrom(alert), now), nextDailyAt(alert, now)),
  };
}

/**
 * An alert as it is when its due steps have been queued with it, as it is raised.
 *
 * @param next when the next step is due.
 * @param escalated whether one of them came after the first.
 */
export function withStepsQueued<A extends Alert>(
  alert: A,
  { next, escalated }: { next: Date | undefined; escalated: boolean },
  now: Date,
): A {
  const { next_step_at: _queued, ...raised } = alert;
  return {
    ...raised,
    stepped_until: now,
    ...(next && { next_step_at: next }),
    ...(escalated && {
      history: [...alert.history, { event: 'escalated', at: now, by: 'notifier' }],
    }),
  } as A;
}

/** Where a step goes: a reminder to the user, and to nobody in their place. */
function addressesOfStep(to: Person, alert: Alert, addressees: Addressees): OwedAddress[] {
  const addresses = addressesOwed(to, alert, addressees);
  return alertKindFacts(alert.kind).reminds ? addresses.filter(isUser) : addresses;
}

/** The steps that came due since the last time. None during a snooze; after it, the last step repeats. */
function stepsDue(alert: Alert, now: Date): DueStep[] {
  if (alert.snoozed_until && alert.snoozed_until > now) return [];
  const due = dueSteps(policyOf(alert), stepsFrom(alert), alert.stepped_until, now);
  if (due.length > 0 || alert.snoozed_until === undefined) return firstOfEachStep(due);
  return dueSteps(alert.escalation, stepsFrom(alert), undefined, now).slice(-1);
}

/** Of the repeats of a step that fall together the first one is sent: after an outage of months there may be 100,000. */
function firstOfEachStep(due: readonly DueStep[]): DueStep[] {
  const seen = new Set<number>();
  return due.filter(({ index }) => !seen.has(index) && seen.add(index));
}

/** The steps of an alert's escalation. After its end, those that are still to come do not repeat. */
function policyOf({ open, escalation }: Alert): readonly PersonStep[] {
  return open ? escalation : withoutRepeats(escalation);
}

/** The first step raises; every later one, and every repetition, escalates. */
function eventOf(alert: Alert, { round, at }: DueStep): NotificationEvent {
  const isFirst = round === 0 && at.getTime() === firstStepAt(alert)?.getTime();
  return isFirst && alert.snoozed_until === undefined ? 'raised' : 'escalated';
}

/** The `step` of a notification. */
function stepName(alert: Alert, step: DueStep): string {
  const snoozed = alert.snoozed_until ? `:${alert.snoozed_until.getTime()}` : '';
  return `${eventOf(alert, step)}:${step.index}:${step.round}${snoozed}`;
}

/**
 * Leaves out what would notify somebody twice: of several steps that fall together, such as repeats during a snooze or
 * while no notifier ran, the first one is sent to an address, and no reminder while an earlier notification of the alert
 * is still to be sent there, for example after quiet hours or a snooze, or when one has just been sent.
 *
 * @param wanted of one alert.
 * @param earlier what was queued for it before, as its recipients are reached now.
 */
export function withoutDuplicates<I extends Id>(
  wanted: readonly Delivery<I>[],
  earlier: readonly Delivery[],
  now: Date,
): Delivery<I>[] {
  return wanted.filter((one, index) => {
    if (!ALERTING_EVENTS.includes(one.event))
      // that the dose is missed is sent once to a person, also at another address
      return !ofSameAddress(one, earlier).some(
        ({ event, status }) => event === one.event && status !== 'cancelled',
      );
    if (ofSameAddress(one, wanted.slice(0, index)).length > 0) return false;
    return !ofSameAddress(one, earlier).some((other) =>
      // a daily one is sent if the other does not name its doses
      isDaily(one) ? isStillToBeSent(other, now) : isOrWasJustDue(other, now),
    );
  });
}

/** Whether a start or a reminder is still to be sent, and not being sent. */
function isStillToBeSent(delivery: Delivery, now: Date): boolean {
  return (
    ALERTING_EVENTS.includes(delivery.event) && delivery.status === 'pending' && !isBeingSent(delivery, now)
  );
}

/** Whether a start or a reminder is still to be sent, or was sent a moment ago. */
function isOrWasJustDue({ event, status, attempts }: Delivery, now: Date): boolean {
  if (!ALERTING_EVENTS.includes(event)) return false;
  if (status === 'pending') return true;
  const sentAt = attempts.findLast(({ ok }) => ok)?.at;
  return sentAt !== undefined && now.getTime() - sentAt.getTime() < TOO_SOON_MS;
}

/** An alert that has ended and whose recipients are owed a notification of it. */
export type AlertOwingEnd<I extends Id = Id> = AlertWith<I> & { end_owed: EndEvent };

/** Whether the end reaches everyone in the policy: it is a new fact, also after an acknowledgement, unless staff closed the alert. */
export function endReachesPolicy({ end_owed, closing, evidence }: AlertOwingEnd): boolean {
  return reachesEveryone(end_owed, evidence) && closing === undefined;
}

/** Whether an end is a new fact of which nobody was notified before, unless staff closed the alert. */
function isStatedAnew({ end_owed, closing, evidence }: AlertOwingEnd): boolean {
  return isNewFact(end_owed, evidence) && closing === undefined;
}

/** Whether an end corrects another, of which whoever was not sent it gets a new fact. */
function isCorrection({ end_owed }: AlertOwingEnd): boolean {
  return notificationEventFacts(end_owed).corrects !== undefined;
}

/** Whether it depends on how its people are reached now to whom an end goes. */
export function endDependsOnAddresses(alert: AlertOwingEnd): boolean {
  const { end_owed, evidence } = alert;
  return (
    end_owed === 'unknown' || endReachesPolicy(alert) || isNewFact(end_owed, evidence) || isCorrection(alert)
  );
}

/**
 * Whether an end is that a dose is unknown, or not taken yet after all, and nobody was notified of it before: its start
 * waits, or is still to come. After a closing by staff nobody is.
 */
export function isNewToAll(
  { closing }: Pick<Alert, 'closing'>,
  event: NotificationEvent,
  ofAlert: readonly Delivery[],
): boolean {
  const isOfDose = event === 'unknown' || event === 'not_taken_yet';
  return isOfDose && closing === undefined && !hasNotified(ofAlert);
}

/** Whether a start or reminder among these notifications arrived, or may have. */
export function hasNotified(ofAlert: readonly Delivery[]): boolean {
  return ofAlert.some((one) => ALERTING_EVENTS.includes(one.event) && mayHaveArrived(one));
}

/**
 * Whom an end reaches beside those who were notified of the alert: everyone whom its policy names, or, with a new fact,
 * those in whose place another was notified.
 */
function reachedBesides(
  alert: AlertOwingEnd,
  earlier: readonly Delivery[],
  addressees: Addressees,
  now: Date,
): OwedAddress[] {
  const everyoneOf = (steps: readonly { to: Person }[]): OwedAddress[] =>
    [...new Set(steps.map(({ to }) => to))].flatMap((to) => addressesOwed(to, alert, addressees));
  const current = earlier.filter((one) => !wasToFormerCarer(one, addressees));
  const reachesAll = isNewToAll(alert, alert.end_owed, current);
  if (reachesAll || endReachesPolicy(alert)) return everyoneOf(alert.escalation);
  if (!isStatedAnew(alert)) return [];
  const due = dueSteps(alert.escalation, alert.raised_at, undefined, now);
  return everyoneOf(due).filter(({ recipient }) => !earlier.some((one) => one.recipient === recipient));
}

/**
 * What was queued for the person whom an address reaches now, over whatever address. What moves to an endpoint goes to all
 * (HOOK-2), and in the operator's place to staff, too.
 */
function ofPerson(
  address: Address,
  earlier: readonly Delivery[],
  { escalation }: Alert,
  addressees: Addressees,
): Delivery[] {
  const isAtEndpoint = ({ channel }: Address): boolean => addressees.operator.includes(channel);
  const areOfOne = (one: Address, other: Address): boolean =>
    isForOperator(one) ? isForOperator(other) : one.recipient === other.recipient && isAtEndpoint(one);
  const to = replacementOf(address, escalation, addressees) ?? address;
  return earlier
    .filter((one) => !wasToFormerCarer(one, addressees))
    .filter((one) => {
      const moved = replacementOf(one, escalation, addressees);
      return isSameAddress(to)(moved ?? one) || (moved && isAtEndpoint(moved) && areOfOne(to, moved));
    });
}

/**
 * The notifications of an end, one for each address: of those who were or are about to be notified of the alert, and of
 * those whom it reaches besides.
 *
 * @param earlier the notifications about this alert.
 */
export function owedEnds<I extends Id>(
  alert: AlertOwingEnd<I>,
  earlier: readonly Delivery[],
  addressees: Addressees,
  now: Date,
): Delivery<I>[] {
  const owed: OwedAddress[] = [
    ...earlier.map(({ recipient, channel, ...one }) => ({
      recipient,
      channel,
      // to whom it did not go, it is owed as before
      ...(one.stands_for !== undefined && !mayHaveArrived(one) && { stands_for: one.stands_for }),
    })),
    ...reachedBesides(alert, earlier, addressees, now),
  ];
  const addresses = owed.filter((one, index) => owed.findIndex(isSameAddress(one)) === index);
  // what is owed to whoever stands for a person, too, is theirs
  const isOwn = (address: Address): boolean =>
    owed.some((one) => one.stands_for === undefined && isSameAddress(address)(one));
  return addresses.flatMap(({ stands_for, ...own }) => {
    const address = stands_for === undefined || isOwn(own) ? own : { ...own, stands_for };
    const before = earlier.filter(isSameAddress(address));
    const event = isCorrection(alert)
      ? endEventFor(alert.end_owed, ofPerson(address, earlier, alert, addressees), now)
      : alert.end_owed;
    // the correction moves here from where its recipient was sent what it corrects
    if (isCorrection(alert) && event === alert.end_owed && before.length === 0) return [];
    const created_at = after(before, now);
    // what the former carer was sent as a part is another message
    const isForNewCarer = before.some((one) => one.event === event && wasToFormerCarer(one, addressees));
    const step = endStep(alert, event, isForNewCarer);
    const queued = { ...notification(alert, event, step, address, now), created_at };
    return notificationEventFacts(event).summarizes
      ? { ...queued, next_attempt_at: gatheredAt(now) }
      : queued;
  });
}

/** `now`, but after these: the order of notifications is that of their creation, and a notifier may have hung. */
function after(earlier: readonly Delivery[], now: Date): Date {
  const times = earlier.flatMap(({ created_at }) =>
    created_at instanceof Date ? created_at.getTime() + 1 : [],
  );
  return new Date(Math.max(now.getTime(), ...times));
}

/** A correction is for whoever may have got what it corrects; for anyone else the part that was taken is new. */
function endEventFor(owed: EndEvent, notified: readonly Delivery[], now: Date): EndEvent {
  const { corrects } = notificationEventFacts(owed);
  if (!corrects) return owed;
  const before = notified.filter(({ event }) => corrects.includes(event));
  return before.some((one) => isBeingSent(one, now) || mayHaveArrived(one)) ? owed : 'partial';
}

/**
 * A dose may be corrected several times, to a larger part each, and what people say of it, or of the time in which it was
 * due, may change.
 */
function endStep(alert: Alert, event: EndEvent, isForNewCarer: boolean): string {
  const { judged_again_at, period }: DoseEndEvidence = alert.evidence;
  const step = stepOfEnd(alert, event, isForNewCarer);
  const changed_at = judged_again_at ?? period?.at;
  return changed_at ? `${step}:${changed_at.getTime()}` : step;
}

function stepOfEnd({ evidence }: Alert, event: EndEvent, isForNewCarer: boolean): string {
  if (notificationEventFacts(event).settledAs) return `${event}:${statementIn(evidence)!.entry}`;
  return event === 'corrected' || isForNewCarer
    ? `${event}:${String('pills_taken' in evidence && evidence.pills_taken)}`
    : event;
}

function notification<I extends Id>(
  alert: Pick<AlertWith<I>, '_id' | 'bottle_id' | 'kind'>,
  event: NotificationEvent,
  step: string,
  { recipient, channel, stands_for }: OwedAddress,
  now: Date,
): Delivery<I> {
  // the same may be owed to whoever stands for a person, too
  const owed = stands_for !== undefined && personIn(recipient) !== undefined ? [stands_for] : [];
  return {
    _id: derivedMessageId('delivery', alert._id.toHexString(), step, recipient, channel, ...owed),
    alert_id: alert._id,
    bottle_id: alert.bottle_id,
    kind: alert.kind,
    event,
    step,
    recipient,
    channel,
    ...(stands_for !== undefined && { stands_for }),
    status: 'pending',
    attempts: [],
    next_attempt_at: now,
    created_at: now,
  };
}

/** The same notification at another address. */
export function addressedTo<I extends Id>(delivery: Delivery<I>, address: Address): Delivery<I> {
  const { alert_id, bottle_id, kind, event, step, created_at, next_attempt_at, stands_for } = delivery;
  const alert = { _id: alert_id, bottle_id, kind };
  const isStandIn = stands_for !== undefined && stands_for !== address.recipient;
  const owed = isStandIn ? { ...address, stands_for } : address;
  const moved = notification(alert, event, step, owed, created_at);
  return next_attempt_at === undefined ? moved : { ...moved, next_attempt_at };
}
