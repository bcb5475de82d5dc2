import {
  ALERTING_EVENTS,
  alertKindFacts,
  inhibitionBy,
  isCritical,
  isNewFact,
  isTrueOf,
  notificationEventFacts,
  quietUntil,
} from '#domain';
import {
  type Address,
  type Alert,
  type ContactDetails,
  type Delivery,
  type DeliveryResult,
  type RecordedGap,
  mayHaveArrived,
} from '#persistence';
import { gatheredAt, type GatheringOf, nextFullMinute } from './gathering.js';
import { byOrder, isBeingSent, ofSameAddress, predecessorsOf } from './order.js';
import { isCarer, isSameAddress } from './recipients.js';

/** How long a notification waits at least for an earlier one. Milliseconds. */
const SHORTEST_WAIT_MS = 1_000;
/** How often a notification with no known time is checked again. Milliseconds. */
const RETRY_MS = 60_000;
/** How often what waits for a decision is checked again. Milliseconds. */
const HELD_RETRY_MS = 30_000;

/** What is known at the moment of sending. */
export interface SendingMoment {
  alert: Alert | undefined;
  /** All notifications about the alert. */
  ofAlert: Delivery[];
  /**
   * The alerts `bottle_silent` and `coverage_gap` that name the dose of the alert, with all notifications about them in
   * `ofAlert`.
   */
  naming: readonly Alert[];
  /** The coverage gaps whose doses may still be settled, or of which people were notified a moment ago. */
  gaps: readonly RecordedGap[];
  /** Until when a summary waits for other doses. */
  gatheringOf: GatheringOf;
  /** The recipient's contact details; undefined for the operator, and for a person who has left the plan. */
  details: ContactDetails | undefined;
  /** Where it goes instead, as its recipient is not reached over its channel any more. */
  replacement: Address | undefined;
  /** The latest fleet incidents, newest first. */
  incidents: readonly Alert[];
  now: Date;
}

/**
 * Checks a notification at the moment of sending, because things may have changed since it was queued
 * (uptime-kuma#1747, MediTrak#130).
 *
 * @returns why it is cancelled or postponed; undefined when it can be sent.
 */
export function recheck(
  delivery: Delivery,
  { alert, ofAlert, naming, gaps, gatheringOf, details, replacement, incidents, now }: SendingMoment,
): DeliveryResult | undefined {
  if (!alert) return { kind: 'cancelled', reason: 'the alert was erased' };
  const stale = ALERTING_EVENTS.includes(delivery.event)
    ? (staleAlert(delivery, alert, now) ?? inhibited(delivery, alert, incidents, now))
    : endNotRecorded(delivery, alert, now);
  return (
    stale ??
    outOfTurn(delivery, alert, ofAlert, now) ??
    endOfUnsent(delivery, alert, ofAlert) ??
    sentTheSameBefore(delivery, alert, ofAlert) ??
    inOpenGap(delivery, alert, gaps, now) ??
    whileGathering(delivery, alert, gaps, now) ??
    whileSummarizing(gatheringOf(delivery, alert)) ??
    namedElsewhere(delivery, alert, ofAlert, naming, now) ??
    toReplacement(delivery, alert, replacement, details, now) ??
    inQuietHours(alert, details, now)
  );
}

function staleAlert(delivery: Delivery, alert: Alert, now: Date): DeliveryResult | undefined {
  if (alert.state === 'closed')
    return { kind: 'cancelled', reason: 'staff closed the alert before it was sent' };
  if (!alert.open) return { kind: 'cancelled', reason: 'the alert had ended before it was sent' };
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
  incidents: readonly Alert[],
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

/** The end is sent only to recipients that got, or may have got, an earlier one; some stand alone. */
function endOfUnsent(delivery: Delivery, alert: Alert, ofAlert: Delivery[]): DeliveryResult | undefined {
  if (standsAlone(delivery, alert)) return undefined;
  const arrived = ofSameAddress(delivery, ofAlert).filter(mayHaveArrived);
  if (delivery.event === 'resolved' && arrived.some(isClosing))
    return { kind: 'cancelled', reason: 'the recipient was notified that staff closed the alert' };
  if (arrived.length > 0) return undefined;
  return { kind: 'cancelled', reason: 'the recipient was not notified of the alert' };
}

/** Whether it needs no earlier notification to have arrived: it is a start, a reminder, or a new fact. */
function standsAlone({ event, kind }: Delivery, { evidence }: Alert): boolean {
  if (isNewFact(event, evidence)) return true;
  return event === 'resolved' && alertKindFacts(kind).endStandsAlone === true;
}

const isClosing = ({ event }: Delivery): boolean => event === 'closed_by_staff';

/**
 * What people state of a dose may change while messages about it wait: its end is not sent to a recipient to whom the
 * last one that arrived still says how it stands.
 */
function sentTheSameBefore(
  delivery: Delivery,
  alert: Alert,
  ofAlert: Delivery[],
): DeliveryResult | undefined {
  if (notificationEventFacts(delivery.event).settledAs === undefined) return undefined;
  const sent = ofSameAddress(delivery, ofAlert).filter(
    ({ event, status }) => status === 'delivered' && !ALERTING_EVENTS.includes(event),
  );
  const last = sent.sort(byOrder).at(-1);
  if (!last || !isTrueOf(last.event, alert)) return undefined;
  return { kind: 'cancelled', reason: 'the recipient was notified of the same before' };
}

/** Of a dose in a coverage gap everyone is notified at once, when its grace is over. */
function inOpenGap(
  { event }: Delivery,
  alert: Alert,
  gaps: readonly RecordedGap[],
  now: Date,
): DeliveryResult | undefined {
  if (event !== 'unknown' || alert.kind !== 'missed_dose') return undefined;
  const { scheduled_at: due, missed_at: ended } = alert.evidence;
  const isIn = ({ from, until = now, settled_at }: RecordedGap): boolean =>
    !settled_at && due < until && ended >= from;
  if (!gaps.some(isIn)) return undefined;
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + RETRY_MS),
    reason: 'a backlog may settle the dose',
  };
}

/**
 * What one recipient is owed of the doses of a coverage gap is one message, however long a notifier takes to find them
 * in the fleet: it waits until all are found.
 */
function whileGathering(
  { event }: Delivery,
  alert: Alert,
  gaps: readonly RecordedGap[],
  now: Date,
): DeliveryResult | undefined {
  if (event !== 'unconfirmed' || alert.kind !== 'coverage_gap') return undefined;
  const began = alert.evidence.from.getTime();
  const gap = gaps.find(({ from }) => from.getTime() === began);
  if (!gap) return undefined;
  const next_attempt_at = gap.settled_at ? gatheredAt(gap.settled_at) : nextFullMinute(now);
  if (next_attempt_at <= now) return undefined;
  return { kind: 'postponed', next_attempt_at, reason: 'other doses of the coverage gap are being found' };
}

/** A summary waits for the doses that belong to it, however long a notifier takes to judge the fleet. */
function whileSummarizing(until: Date | undefined): DeliveryResult | undefined {
  return until && { kind: 'postponed', next_attempt_at: until, reason: 'other doses are being found' };
}

/**
 * That a dose cannot be confirmed is sent once: not to a recipient whose notification of the silence, or of the coverage
 * gap, names the dose. It does if it was sent since the dose was late.
 */
function namedElsewhere(
  delivery: Delivery,
  alert: Alert,
  ofAlerts: Delivery[],
  naming: readonly Alert[],
  now: Date,
): DeliveryResult | undefined {
  if (delivery.event !== 'unknown') return undefined;
  const ofNaming = ofAlerts
    .filter(isSameAddress(delivery))
    .filter(
      (other) =>
        (ALERTING_EVENTS.includes(other.event) || other.event === 'unconfirmed') &&
        naming.some(({ _id }) => _id.equals(other.alert_id)),
    );
  if (ofNaming.some((one) => mayHaveArrived(one) && one.attempts.some(({ at }) => at >= alert.raised_at)))
    return { kind: 'cancelled', reason: 'another notification names the dose' };
  if (!ofNaming.some(({ status }) => status === 'pending')) return undefined;
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + RETRY_MS),
    reason: 'another notification may name the dose',
  };
}

/**
 * What is owed to a person goes to an address that the person, or else the next one of the plan, has at the moment. Only
 * an end is sent to nobody in place of a carer who is gone.
 */
function toReplacement(
  delivery: Delivery,
  alert: Alert,
  replacement: Address | undefined,
  details: ContactDetails | undefined,
  now: Date,
): DeliveryResult | undefined {
  if (!replacement) return undefined;
  const isFormerCarer = !details && isCarer(delivery);
  if (isFormerCarer && !standsAlone(delivery, alert))
    return { kind: 'cancelled', reason: 'the carer is no longer in the plan' };
  return { kind: 'moved', to: replacement, at: now };
}

/** Quiet hours postpone; they never drop. */
function inQuietHours(
  alert: Alert,
  details: ContactDetails | undefined,
  now: Date,
): DeliveryResult | undefined {
  const until = quietHoursEnd(alert, details, now);
  return until && { kind: 'postponed', next_attempt_at: until, reason: 'quiet hours' };
}

/** The end of the recipient's quiet hours, if they apply at `now` and postpone this kind; otherwise undefined. */
function quietHoursEnd(alert: Alert, details: ContactDetails | undefined, now: Date): Date | undefined {
  if (!details?.quiet_hours || isCritical(alert)) return undefined;
  return quietUntil(details.quiet_hours, details.time_zone, now);
}
