import type { Alert } from '../alerts/alert.js';
import { alertKindFacts, isCritical, type OfKind } from '../alerts/alert-kinds.js';
import { whetherInContact } from '../alerts/kinds/dose-reminder/dose-reminder.js';
import { inhibitionBy } from '../alerts/kinds/fleet-incident/incident.js';
import { isCanary } from '../canary/canary.js';
import { exhausted } from './backoff.js';
import { dueSteps } from './escalation.js';
import { endpointAddresses, isEndpointChannel } from './endpoints.js';
import { nothingNew, withDosesSince } from './daily.js';
import { type Delivery, type DeliveryResult, isBeingSent, mayHaveArrived } from './delivery.js';
import {
  type Gathering,
  inOpenGap,
  type UnsettledGap,
  whileGathering,
  whileSummarizing,
} from './gathering.js';
import {
  type KnownDoses,
  listedElsewhere,
  listsDoseOf,
  withoutKnownDoses,
  withoutNotifiedDoses,
} from './listed-doses.js';
import {
  ALERTING_EVENTS,
  isNewFact,
  isTrueOf,
  type NotificationEvent,
  notificationEventFacts,
} from './notification-events.js';
import { byOrder, isAnotherThan, ofSameAddress, predecessorsOf, wasToFormerCarer } from './order.js';
import { isNewToAll, withoutDuplicates } from './owed.js';
import { isCarer, isForOperator, isStaff, isUser } from './persons.js';
import { quietUntil } from './quiet-hours.js';
import { type Addressees, asReached, isSameAddress, type PersonDetails, personOf } from './recipients.js';
import { destinationsOf } from './stand-ins.js';
import { type StateAtSending, whileUnchecked } from './unchecked.js';

/** How long a notification waits at least for an earlier one. Milliseconds. */
const SHORTEST_WAIT_MS = 1_000;
/** How often a notification with no known time is checked again. Milliseconds. */
const RETRY_MS = 60_000;
/** How long what waits for the same elsewhere waits at most. Milliseconds. */
const LONGEST_WAIT_MS = 60 * 60_000;
/** Why a start waits whose person cannot be reached: the same is still to be sent to whoever stands for them. */
export const SAME_ELSEWHERE = 'the same is still to be sent to another address';
/** How often what waits for a decision is checked again. Milliseconds. */
const HELD_RETRY_MS = 30_000;

/** What is known at the moment of sending. */
export interface SendingMoment {
  alert: Alert | undefined;
  /**
   * All notifications about the alert and about those in `listing`, by the alert's id in hex. Those about the alert are
   * not needed for a `raised` that goes to where it was queued for.
   */
  notifications: ReadonlyMap<string, readonly Delivery[]>;
  /** The alerts `bottle_silent` and `coverage_gap` that may name the dose of the alert. */
  listing: readonly Alert[];
  /** All notifications about the doses that the alert names: see {@link alertsOfUnconfirmedDoses}. */
  ofUnconfirmedDoses: readonly Delivery[];
  /** What is known of the doses that a start or reminder may name. */
  knownDoses: KnownDoses;
  /** The coverage gaps whose doses may still be settled, or of which people were notified a moment ago. */
  gaps: readonly UnsettledGap[];
  /** For which doses summaries may wait. */
  gathering: Gathering;
  /** Where the persons of the alert are reached. */
  addressees: Addressees;
  /** The latest fleet incidents, newest first. */
  incidents: readonly Alert<'fleet_incident'>[];
  /** The state of the alert's bottle, read before the alert; undefined if there is none. */
  state: StateAtSending | undefined;
  now: Date;
}

/**
 * Checks a notification at the moment of sending, because things may have changed since it was queued
 * (uptime-kuma#1747, MediTrak#130).
 *
 * @returns why it is cancelled or postponed; undefined when it can be sent.
 */
export function recheck(delivery: Delivery, moment: SendingMoment): DeliveryResult | undefined {
  const { alert, listing, gaps, gathering, addressees, incidents, state, now } = moment;
  if (!alert) return { kind: 'cancelled', reason: 'the alert was erased' };
  if (state?.life && alarms(delivery)) return { kind: 'cancelled', reason: 'the bottle is no longer in use' };
  const stale = ALERTING_EVENTS.includes(delivery.event)
    ? (staleAlert(delivery, alert, now) ?? inhibited(delivery, alert, incidents, now))
    : endNotRecorded(delivery, alert, now);
  if (stale) return stale;
  // no record about another alert is read: it may be damaged
  const notificationsOf = (other: Alert): Delivery[] => notificationsAbout(other, alert, moment);
  const ofAlert = notificationsOf(alert);
  const sentThere = notAtAnotherEndpoint(delivery, ofSameAddress(delivery, ofAlert), moment);
  const ofListing = listing.filter((other) => listsDoseOf(alert, other)).flatMap(notificationsOf);
  return (
    whileUnchecked(delivery, alert, state, now) ??
    outOfTurn(delivery, alert, ofAlert, now) ??
    endForFormerCarer(delivery, alert, addressees) ??
    endOfUnsent(delivery, alert, sentThere, ofAlert, moment) ??
    sentTheSameBefore(delivery, alert, sentThere) ??
    overtakenWithdrawal(delivery, sentThere) ??
    inOpenGap(delivery, alert, gaps, now) ??
    whileGathering(delivery, alert, gaps, now) ??
    whileSummarizing(delivery, alert, gathering, now) ??
    listedElsewhere(delivery, alert, ofListing, ofAlert, now) ??
    toReplacement(delivery, alert, moment) ??
    inQuietHours(delivery, alert, addressees, now) ??
    nothingNew(delivery, withNewDoses(delivery, alert, ofAlert, moment)) ??
    exhausted(delivery)
  );
}

/** Whether it asks somebody to look after a bottle or a dose; other ends only say that something is over (LIFE-3). */
function alarms({ event }: Delivery): boolean {
  const { ends, standsAlone, asksForDose } = notificationEventFacts(event);
  return ends === undefined || standsAlone === true || asksForDose === true;
}

/** The notifications about an alert, as the persons of another of the same user are reached now. */
function notificationsAbout(
  { _id }: Alert,
  { escalation }: Alert,
  { notifications, addressees }: Pick<SendingMoment, 'notifications' | 'addressees'>,
): Delivery[] {
  return (notifications.get(_id.toHexString()) ?? [])
    .filter((one) => !wasToFormerCarer(one, addressees))
    .map((one) => asReached(one, escalation, addressees));
}

/**
 * Of the notifications to the same address, those that did not go to another endpoint that is still there, or to staff: each
 * is by itself (HOOK-1).
 */
function notAtAnotherEndpoint(
  delivery: Delivery,
  sent: readonly Delivery[],
  { notifications, addressees }: Pick<SendingMoment, 'notifications' | 'addressees'>,
): Delivery[] {
  const all = notifications.get(delivery.alert_id.toHexString()) ?? [];
  const elsewhere = all
    .filter(({ channel }) => isEndpointChannel(delivery.channel) && channel !== delivery.channel)
    .filter((one) => isStaff(one) || endpointAddresses(one, addressees).some(isSameAddress(one)));
  return sent.filter(({ _id }) => !elsewhere.some((one) => one._id === _id));
}

/** The alert as a notification shows it that may be sent. */
export function asShown<A extends Alert>(
  delivery: Delivery,
  alert: A,
  moment: Pick<SendingMoment, 'notifications' | 'addressees' | 'ofUnconfirmedDoses' | 'knownDoses' | 'state'>,
): A {
  const ofAlert = notificationsAbout(alert, alert, moment);
  return whetherInContact(withNewDoses(delivery, alert, ofAlert, moment), moment.state);
}

/** An alert with those of its doses that a notification is to name to its recipient. */
function withNewDoses<A extends Alert>(
  delivery: Delivery,
  alert: A,
  ofAlert: readonly Delivery[],
  { knownDoses, ofUnconfirmedDoses }: Pick<SendingMoment, 'knownDoses' | 'ofUnconfirmedDoses'>,
): A {
  const since = withDosesSince(alert, delivery, ofAlert);
  return withoutNotifiedDoses(withoutKnownDoses(since, delivery, knownDoses), delivery, ofUnconfirmedDoses);
}

function staleAlert(delivery: Delivery, alert: Alert, now: Date): DeliveryResult | undefined {
  if (alert.state === 'closed')
    return { kind: 'cancelled', reason: 'staff closed the alert before it was sent' };
  if (!alert.open) return { kind: 'cancelled', reason: 'the alert had ended before it was sent' };
  if (alert.kind === 'dose_reminder' && now >= alert.evidence.late_at)
    return { kind: 'cancelled', reason: 'the dose was late before it was sent' };
  if (delivery.event === 'escalated' && alert.state === 'acknowledged') {
    return { kind: 'cancelled', reason: 'the alert was acknowledged before it was sent' };
  }
  if (alert.clears_at) {
    const next_attempt_at = new Date(now.getTime() + RETRY_MS);
    return { kind: 'postponed', next_attempt_at, reason: 'the condition cleared and may return' };
  }
  const snoozed = alert.snoozed_until;
  return snoozed && snoozed > now
    ? { kind: 'postponed', next_attempt_at: snoozed, reason: 'snoozed' }
    : undefined;
}

/**
 * A fleet incident postpones the notifications of its silences until staff confirm it or it ends. If staff have
 * dismissed it, its end cancels those that waited.
 */
function inhibited(
  { created_at }: Delivery,
  { kind, raised_at }: Alert,
  incidents: SendingMoment['incidents'],
  now: Date,
): DeliveryResult | undefined {
  if (!alertKindFacts(kind).heldByFleetIncident) return undefined;
  const incident = incidents.find((each) => raised_at >= each.raised_at);
  if (!incident || (incident.ended_at && created_at > incident.ended_at)) return undefined;
  switch (inhibitionBy(incident, now)) {
    case 'cancelled':
      return { kind: 'cancelled', reason: 'staff dismissed the fleet incident' };
    case 'held':
      return {
        kind: 'postponed',
        next_attempt_at: new Date(now.getTime() + HELD_RETRY_MS),
        reason: 'fleet incident',
      };
    default:
      return undefined;
  }
}

/** The end of an alert is sent once it is recorded, and only if the alert ended that way. */
function endNotRecorded({ event }: Delivery, alert: Alert, now: Date): DeliveryResult | undefined {
  const { ends } = notificationEventFacts(event);
  if (ends !== alert.state && alert.open && event !== 'closed_by_staff')
    return {
      kind: 'postponed',
      next_attempt_at: new Date(now.getTime() + 1_000),
      reason: 'the end is being recorded',
    };
  if (ends !== alert.state) return { kind: 'cancelled', reason: `the alert was ${alert.state} meanwhile` };
  if (isTrueOf(event, alert)) return undefined;
  return { kind: 'cancelled', reason: 'what is known of the dose changed meanwhile' };
}

/** The notifications of one alert go to a recipient in order: a later one waits for those that are still to be sent. */
function outOfTurn(
  delivery: Delivery,
  alert: Alert,
  ofAlert: Delivery[],
  now: Date,
): DeliveryResult | undefined {
  const earlier = predecessorsOf(delivery, alert, ofAlert, now);
  if (earlier.length === 0) return undefined;
  const due = earlier.map((one) => (isBeingSent(one, now) ? now : (one.next_attempt_at ?? now)).getTime());
  // an earlier one may be brought forward: look again within a minute
  const wait = Math.min(Math.max(SHORTEST_WAIT_MS, Math.max(...due) - now.getTime()), RETRY_MS);
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + wait),
    reason: 'an earlier notification of the alert is not sent yet',
  };
}

/** An end is sent to nobody in place of a carer who is gone. */
function endForFormerCarer(
  delivery: Delivery,
  alert: Alert,
  addressees: Addressees,
): DeliveryResult | undefined {
  if (!isCarer(delivery) || personOf(delivery, addressees) || standsAlone(delivery, alert)) return undefined;
  return { kind: 'cancelled', reason: 'the carer is no longer in the plan' };
}

/**
 * The end is sent only to recipients that got, or may have got, an earlier one, and the withdrawal of a statement to those
 * that got the statement; some stand alone.
 */
function endOfUnsent(
  delivery: Delivery,
  alert: Alert,
  sentThere: Delivery[],
  ofAlert: Delivery[],
  moment: Pick<SendingMoment, 'notifications' | 'addressees'>,
): DeliveryResult | undefined {
  if (standsAlone(delivery, alert) || isNewToAll(alert, delivery.event, ofAlert)) return undefined;
  const arrived = sentThere.filter(mayHaveArrived);
  if (delivery.event === 'resolved' && (arrived.some(isClosing) || wasClosedElsewhere(delivery, ofAlert)))
    return { kind: 'cancelled', reason: 'the recipient was notified that staff closed the alert' };
  if (arrived.length === 0 || isNotifiedAtOthers(delivery, moment))
    return { kind: 'cancelled', reason: 'the recipient was not notified of the alert' };
  if (delivery.event === 'statement_withdrawn' && !arrived.some(isStatement))
    return { kind: 'cancelled', reason: 'the recipient was not notified of the statement' };
  return undefined;
}

/**
 * Whether its recipient was notified of the alert at other endpoints that are still there, and not at this one: what moves
 * here is the end of nothing (HOOK-2).
 */
function isNotifiedAtOthers(
  delivery: Delivery,
  { notifications, addressees }: Pick<SendingMoment, 'notifications' | 'addressees'>,
): boolean {
  if (!isEndpointChannel(delivery.channel)) return false;
  const endpoints = endpointAddresses(delivery, addressees);
  const arrived = (notifications.get(delivery.alert_id.toHexString()) ?? [])
    .filter(isAnotherThan(delivery))
    .filter((one) => mayHaveArrived(one) && endpoints.some(isSameAddress(one)));
  return arrived.length > 0 && !arrived.some(isSameAddress(delivery));
}

/** Whether it needs no earlier notification to have arrived: it is a start, a reminder, or a new fact. */
function standsAlone({ event, kind }: Delivery, { evidence }: Alert): boolean {
  if (isNewFact(event, evidence)) return true;
  return event === 'resolved' && alertKindFacts(kind).endStandsAlone === true;
}

const isClosing = ({ event }: Delivery): boolean => event === 'closed_by_staff';

/** Whether what comes from another address is for a recipient to whom the closing was sent at one that is not this. */
function wasClosedElsewhere({ recipient, moved_from = [] }: Delivery, ofAlert: readonly Delivery[]): boolean {
  if (moved_from.length === 0) return false;
  return ofAlert.some((one) => one.recipient === recipient && isClosing(one) && mayHaveArrived(one));
}

/** Whether it says how people settled the dose; the withdrawal of a statement does not. */
function isStatement({ event }: Delivery): boolean {
  const { settledAs } = notificationEventFacts(event);
  return settledAs !== undefined && settledAs !== 'withdrawn';
}

/** The ends that say the same each time; others say how much of a dose was taken, or list doses. */
const SAYS_ALL: ReadonlySet<NotificationEvent> = new Set<NotificationEvent>([
  'missed',
  'unknown',
  'resolved',
  'retracted',
  'not_taken_yet',
]);

/**
 * What people state of a dose, or what is known of it, may change while messages about it wait: its end is not sent to a
 * recipient to whom the last one that arrived still says how it stands.
 */
function sentTheSameBefore(
  delivery: Delivery,
  alert: Alert,
  sentThere: Delivery[],
): DeliveryResult | undefined {
  const isOfStatement = notificationEventFacts(delivery.event).settledAs !== undefined;
  if (!isOfStatement && !SAYS_ALL.has(delivery.event)) return undefined;
  const sent = sentThere
    .filter(isAnotherThan(delivery))
    .filter((one) => mayHaveArrived(one) && !ALERTING_EVENTS.includes(one.event));
  const last = sent.sort(byOrder).at(-1);
  if (last?.status !== 'delivered' || !isTrueOf(last.event, alert)) return undefined;
  if (!isOfStatement && last.event !== delivery.event) return undefined;
  return { kind: 'cancelled', reason: 'the recipient was notified of the same before' };
}

/** That a statement no longer counts is not sent to whom what became of the dose since is sent. */
function overtakenWithdrawal(delivery: Delivery, sentThere: readonly Delivery[]): DeliveryResult | undefined {
  if (delivery.event !== 'statement_withdrawn') return undefined;
  const isOvertaken = sentThere.some((other) => {
    const { ends, settledAs } = notificationEventFacts(other.event);
    const isOutcome = ends !== undefined && settledAs === undefined && other.status !== 'cancelled';
    return isOutcome && byOrder(delivery, other) < 0;
  });
  return isOvertaken ? { kind: 'cancelled', reason: 'the dose has its outcome by now' } : undefined;
}

/**
 * What is owed to a person goes to an address that the person has at the moment, or else to all that the next one of the
 * plan has, unless the same goes there already.
 */
function toReplacement(
  delivery: Delivery,
  alert: Alert,
  { addressees, notifications, now }: SendingMoment,
): DeliveryResult | undefined {
  if (isStaff(delivery) && !addressees.staff?.includes(delivery.recipient))
    return { kind: 'cancelled', reason: 'no browser of this member of staff shows messages any more' };
  const { to: replacements, returns } = movesTo(delivery, alert, addressees, now);
  const [replacement] = replacements;
  if (!replacement) return undefined;
  // it is sent to staff in addition to the operator's, which goes to whom it is owed
  if (isStaff(delivery)) return { kind: 'cancelled', reason: 'the same goes to another address' };
  if (alertKindFacts(alert.kind).reminds && !isUser(replacement))
    return { kind: 'cancelled', reason: 'the user cannot be reached, and a reminder goes to nobody else' };
  const ofAlert = notifications.get(alert._id.toHexString()) ?? [];
  const known = replacements.map((address) =>
    knownThere({ ...delivery, ...address, moved_from: [] }, ofAlert, now),
  );
  const [to, ...also] = replacements.filter((_one, index) => !known[index]);
  if (to) return { kind: 'moved', to, also, at: now, ...(returns && { returns }) };
  return known.find((one) => one?.kind === 'postponed') ?? known[0];
}

/** Where a notification of an alert moves to at a moment: see {@link destinationsOf}. */
export function movesTo(
  delivery: Delivery,
  alert: Alert,
  addressees: Addressees,
  now: Date,
): ReturnType<typeof destinationsOf> {
  const { escalation, raised_at } = alert;
  const named = dueSteps(escalation, raised_at, undefined, now).map(({ to }) => to);
  return destinationsOf(delivery, escalation, named, addressees);
}

/**
 * What moves and tells its new recipient nothing new: the start to whoever is notified of the alert, and a reminder to
 * whom another one goes now. An end is the same notification there, which the outbox knows. A start waits while the same
 * is still to be sent there: the person may be reached again before.
 */
function knownThere(moved: Delivery, ofAlert: readonly Delivery[], now: Date): DeliveryResult | undefined {
  if (!ALERTING_EVENTS.includes(moved.event)) return undefined;
  const known = { kind: 'cancelled', reason: 'the same goes to another address' } as const;
  if (moved.event !== 'raised')
    return withoutDuplicates([moved], ofAlert, now).length === 0 ? known : undefined;
  const there = ofSameAddress(moved, ofAlert).filter(({ event }) => ALERTING_EVENTS.includes(event));
  if (there.some(mayHaveArrived)) return known;
  const waiting = there.filter(({ status }) => status === 'pending');
  if (waiting.length === 0) return undefined;
  const due = Math.min(...waiting.map(({ next_attempt_at: at = now }) => at.getTime()));
  // a change of the contact has it looked at before
  const wait = Math.min(Math.max(due - now.getTime(), RETRY_MS), LONGEST_WAIT_MS);
  return { kind: 'postponed', next_attempt_at: new Date(now.getTime() + wait), reason: SAME_ELSEWHERE };
}

/** The reason for which a notification waits in quiet hours. */
export const QUIET_HOURS = 'quiet hours';

/** Quiet hours postpone; they never drop. */
function inQuietHours(
  delivery: Delivery,
  alert: Alert,
  addressees: Addressees,
  now: Date,
): DeliveryResult | undefined {
  const until = quietHoursEnd(alert, personOf(delivery, addressees)?.details, now);
  return until && { kind: 'postponed', next_attempt_at: until, reason: QUIET_HOURS };
}

/** The end of a recipient's quiet hours, if they apply at `now` and postpone this kind; otherwise undefined. */
export function quietHoursEnd(
  alert: OfKind,
  details: PersonDetails | undefined,
  now: Date,
): Date | undefined {
  if (!details?.quiet_hours || isCritical(alert)) return undefined;
  return quietUntil(details.quiet_hours, details.time_zone, now);
}

/** At most so many messages to a person over a channel within so many seconds. */
export interface RecipientLimit {
  times: number;
  seconds: number;
}

/** Whether the recipient's limit may delay it: once, and no canary's and none of the operator's or of staff. */
export function mayBeDelayed(delivery: Delivery): boolean {
  if (isForOperator(delivery) || isCanary(delivery.bottle_id)) return false;
  return !delivery.throttled && !alertKindFacts(delivery.kind).unthrottled;
}

/**
 * The delay of notifications that would be sent together; undefined when they are sent now.
 *
 * @param sent when their recipient was sent messages in the window that ends now, oldest first.
 */
export function throttled(
  deliveries: readonly Delivery[],
  sent: readonly Date[],
  limit: RecipientLimit | undefined,
): DeliveryResult | undefined {
  // one that may not be delayed takes the others along
  if (!limit || !deliveries.every(mayBeDelayed)) return undefined;
  const makesRoom = sent[sent.length - limit.times];
  return (
    makesRoom && {
      kind: 'postponed',
      next_attempt_at: new Date(makesRoom.getTime() + limit.seconds * 1_000),
      reason: "delayed: recipient's message limit reached",
      throttled: true,
    }
  );
}
