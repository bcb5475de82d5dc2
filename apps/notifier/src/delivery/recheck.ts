import { alertKindFacts } from '#domain';
import {
  type Alert,
  type Delivery,
  type DeliveryResult,
  type ContactDetails,
  TELLING_EVENTS,
} from '#persistence';
import { heldUntil } from './quiet.js';

/** While an attempt of another notifier is under way, the message of the end waits this long. Milliseconds. */
const WAIT_FOR_OTHER_MS = 5_000;
/** How often held messages are looked at. Milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** What is known at the moment of sending. */
export interface SendingMoment {
  alert: Alert | undefined;
  /** All messages about the alert. */
  siblings: Delivery[];
  /** How the recipient wants to be reached; undefined for the operator. */
  details: ContactDetails | undefined;
  /** The incident of the fleet that holds messages of silence back: undecided or dismissed. */
  incident: Alert | undefined;
  now: Date;
}

/**
 * What stands against sending now: the world may have changed since the message was queued
 * (uptime-kuma#1747, MediTrak#130). Undefined: send it.
 */
export function recheck(
  delivery: Delivery,
  { alert, siblings, details, incident, now }: SendingMoment,
): DeliveryResult | undefined {
  if (!alert) return { kind: 'cancelled', reason: 'the alert was erased' };
  const stale = TELLING_EVENTS.includes(delivery.event)
    ? (staleNews(delivery, alert, now) ?? heldBack(alert, incident, now))
    : (untimelyEnd(delivery, alert, now) ??
      // "missed" is news in itself: whoever could not be told "late" has to hear it all the same
      (delivery.event === 'missed' ? undefined : untoldEnd(delivery, siblings, now)));
  return stale ?? quiet(delivery, details, now);
}

function staleNews(delivery: Delivery, alert: Alert, now: Date): DeliveryResult | undefined {
  if (!alert.open) return { kind: 'cancelled', reason: 'the alert had ended before it was sent' };
  if (delivery.event === 'escalated' && alert.state === 'acknowledged') {
    return { kind: 'cancelled', reason: 'the alert was acknowledged before it was sent' };
  }
  if (alert.clears_at) {
    const next_attempt_at = new Date(now.getTime() + LOOK_AGAIN_MS);
    return { kind: 'postponed', next_attempt_at, reason: 'the trouble has gone and may come back' };
  }
  const snoozed = alert.snoozed_until;
  return snoozed && snoozed > now
    ? { kind: 'postponed', next_attempt_at: snoozed, reason: 'snoozed' }
    : undefined;
}

/**
 * Until staff confirm an incident of the fleet, or it is over, nobody is told of a silence that is part of it; and
 * never, when they dismiss it.
 */
function heldBack(alert: Alert, incident: Alert | undefined, now: Date): DeliveryResult | undefined {
  if (!incident || !alertKindFacts(alert.kind).heldByFleetIncident || alert.raised_at < incident.raised_at)
    return undefined;
  if (incident.dismissed) return { kind: 'cancelled', reason: 'staff dismissed the fleet incident' };
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + LOOK_AGAIN_MS),
    reason: 'fleet incident',
  };
}

/** The end of an alert is told once it is recorded, and only if it ended so. */
function untimelyEnd({ event }: Delivery, alert: Alert, now: Date): DeliveryResult | undefined {
  if (alert.open)
    return {
      kind: 'postponed',
      next_attempt_at: new Date(now.getTime() + 1_000),
      reason: 'the end is being recorded',
    };
  const fits = event === 'retracted' ? alert.state === 'retracted' : alert.state === 'resolved';
  return fits ? undefined : { kind: 'cancelled', reason: `the alert was ${alert.state} after all` };
}

/** Only who was told, or may have been (alertmanager#2657), hears of the end. */
function untoldEnd(delivery: Delivery, siblings: Delivery[], now: Date): DeliveryResult | undefined {
  const news = siblings.filter(
    ({ alert_id, event, recipient, channel }) =>
      (TELLING_EVENTS.includes(event) || event === 'missed') &&
      alert_id.equals(delivery.alert_id) &&
      recipient === delivery.recipient &&
      channel === delivery.channel,
  );
  if (news.some((told) => mayHaveArrived(told, now))) return undefined;
  if (news.some(({ claim }) => claim)) {
    return {
      kind: 'postponed',
      next_attempt_at: new Date(now.getTime() + WAIT_FOR_OTHER_MS),
      reason: 'the alert itself is being sent',
    };
  }
  return { kind: 'cancelled', reason: 'the recipient was never told of the alert' };
}

/** Delivered; or sent without an answer, be it that a notifier was killed meanwhile. */
function mayHaveArrived({ status, attempts, earlier_attempts = [], claim }: Delivery, now: Date): boolean {
  if (status === 'delivered' || (claim && claim.until <= now)) return true;
  return [...earlier_attempts, ...attempts].some(({ ok, status: answer }) => !ok && answer === undefined);
}

/** Quiet hours defer and never drop. */
function quiet(
  delivery: Delivery,
  details: ContactDetails | undefined,
  now: Date,
): DeliveryResult | undefined {
  const until = heldUntil(delivery.kind, details, now);
  return until && { kind: 'postponed', next_attempt_at: until, reason: 'quiet hours' };
}
