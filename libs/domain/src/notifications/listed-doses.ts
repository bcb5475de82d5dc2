import type { Alert } from '../alerts/alert.js';
import { alertIdOf } from '../alerts/findings.js';
import { silentUntil, unconfirmedDosesOf } from '../alerts/kinds/bottle-silent/silence.js';
import { DAY_MS } from '../time/durations.js';
import { type Delivery, type DeliveryResult, mayHaveArrived } from './delivery.js';
import { ALERTING_EVENTS } from './notification-events.js';
import { isSameAddress } from './recipients.js';

/** An alert that names a dose is raised while the dose is late: not longer than this before its end. Milliseconds. */
export const LISTED_WITHIN_MS = 14 * DAY_MS;
/** How often what another notification may name is checked again. Milliseconds. */
const RETRY_MS = 60_000;

/**
 * Whether a silence, or a dose's part of a coverage gap, names the dose of an alert. Not a silence that was over when
 * the dose ended: whoever was notified of it knows that the bottle reports again.
 *
 * @param other `bottle_silent` or `coverage_gap`.
 */
export function listsDoseOf(alert: Alert, other: Alert): boolean {
  if (other.bottle_id.toHexString() !== alert.bottle_id.toHexString()) return false;
  if (other.kind === 'coverage_gap') return other.subject === alert.subject;
  return (
    unconfirmedDosesOf(other).some((dose) => dose.toISOString() === alert.subject) &&
    !isOverBefore(other, alert)
  );
}

function isOverBefore(silence: Alert, alert: Alert): boolean {
  const backAt = silentUntil(silence);
  return backAt !== undefined && alert.kind === 'missed_dose' && backAt <= alert.evidence.missed_at;
}

/**
 * That a dose cannot be confirmed is sent once: not to a recipient whose notification of the silence, or of the coverage
 * gap, names the dose. It does if it was sent since the dose was late.
 *
 * @param ofListing the notifications about the alerts that name it.
 */
export function listedElsewhere(
  delivery: Delivery,
  alert: Alert,
  ofListing: readonly Delivery[],
  now: Date,
): DeliveryResult | undefined {
  if (delivery.event !== 'unknown') return undefined;
  const listing = ofListing
    .filter(isSameAddress(delivery))
    .filter(({ event }) => ALERTING_EVENTS.includes(event) || event === 'unconfirmed');
  if (listing.some((one) => mayHaveArrived(one) && one.attempts.some(({ at }) => at >= alert.raised_at)))
    return { kind: 'cancelled', reason: 'another notification names the dose' };
  if (!listing.some(({ status }) => status === 'pending')) return undefined;
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + RETRY_MS),
    reason: 'another notification may name the dose',
  };
}

/**
 * A silence without the doses of which its recipient was already notified that they cannot be confirmed.
 *
 * @param ofDoses the notifications about the doses that it names: see {@link alertsOfUnconfirmedDoses}.
 */
export function withoutNotifiedDoses<A extends Alert>(
  alert: A,
  delivery: Delivery,
  ofDoses: readonly Delivery[],
): A {
  if (alert.kind !== 'bottle_silent') return alert;
  const doses = unconfirmedDosesOf(alert);
  const notified = ofDoses
    .filter(isSameAddress(delivery))
    .filter((other) => (other.event === 'unknown' || other.event === 'unconfirmed') && mayHaveArrived(other));
  if (doses.length === 0 || notified.length === 0) return alert;
  const known = new Set(notified.map(({ alert_id }) => alert_id.toHexString()));
  const unconfirmed_doses = doses.filter((dose) => !doseAlerts(alert, dose).some((id) => known.has(id)));
  return { ...alert, evidence: { ...alert.evidence, unconfirmed_doses } };
}

/** The ids, in hex, of the alerts by which people may have been notified of the doses that a silence names. */
export function alertsOfUnconfirmedDoses(alert: Alert): string[] {
  return unconfirmedDosesOf(alert).flatMap((dose) => doseAlerts(alert, dose));
}

function doseAlerts({ bottle_id }: Alert, cause: Date): string[] {
  const bottle = { _id: bottle_id };
  return (['missed_dose', 'coverage_gap'] as const).map((kind) => alertIdOf({ bottle, kind, cause }));
}
