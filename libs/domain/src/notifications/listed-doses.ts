import type { Alert } from '../alerts/alert.js';
import { alertIdOf } from '../alerts/findings.js';
import {
  namingOnly,
  planOf,
  silentUntil,
  unconfirmedDosesOf,
} from '../alerts/kinds/bottle-silent/silence.js';
import type { Reports } from '../alerts/kinds/missed-dose/missed-dose.js';
import { settledBy } from '../attestations/attestation.js';
import type { Id } from '../bottle-state/bottle-state.js';
import type { DoseOutcome } from '../doses/judge.js';
import { DAY_MS } from '../time/durations.js';
import { arrivedAttempts, type Delivery, type DeliveryResult, mayHaveArrived, names } from './delivery.js';
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
  if (planOf(other) !== alert.bottle_id.toHexString()) return false;
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
 * gap, named the dose. It counts if it was sent since the dose was late, and since the last that the recipient knows of it:
 * a dose that was missed may become unknown again.
 *
 * @param ofListing the notifications about the alerts that name it.
 * @param ofAlert those about the dose.
 */
export function listedElsewhere(
  delivery: Delivery,
  alert: Alert,
  ofListing: readonly Delivery[],
  ofAlert: readonly Delivery[],
  now: Date,
): DeliveryResult | undefined {
  if (delivery.event !== 'unknown') return undefined;
  const ends = ofAlert
    .filter(isSameAddress(delivery))
    // that staff closed it is nothing of the dose
    .filter(({ event }) => !ALERTING_EVENTS.includes(event) && event !== 'closed_by_staff');
  const since = new Date(Math.max(alert.raised_at.getTime(), ...ends.flatMap(deliveredAt)));
  const listing = ofListing
    .filter(isSameAddress(delivery))
    .filter(({ event }) => ALERTING_EVENTS.includes(event) || event === 'unconfirmed');
  const dose = new Date(alert.subject);
  if (listing.flatMap(arrivedAttempts).some((one) => one.at >= since && names(one, dose)))
    return { kind: 'cancelled', reason: 'another notification names the dose' };
  if (!listing.some(({ status }) => status === 'pending')) return undefined;
  return {
    kind: 'postponed',
    next_attempt_at: new Date(now.getTime() + RETRY_MS),
    reason: 'another notification may name the dose',
  };
}

const deliveredAt = ({ attempts }: Delivery): number[] =>
  attempts.flatMap(({ ok, at }) => (ok ? at.getTime() : []));

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
  const notified = ofDoses
    .filter(isSameAddress(delivery))
    .filter((other) => (other.event === 'unknown' || other.event === 'unconfirmed') && mayHaveArrived(other));
  if (unconfirmedDosesOf(alert).length === 0 || notified.length === 0) return alert;
  const known = new Set(notified.map(({ alert_id }) => alert_id.toHexString()));
  return namingOnly(alert, (dose) => !doseAlerts(alert, dose).some((id) => known.has(id)));
}

/** What is known of doses that silences name, and maybe of others. */
export interface KnownDoses {
  /** What became of them. */
  outcomes: readonly { bottle_id: Id; scheduled_at: Date; outcome: DoseOutcome }[];
  /** What people say of them, by the id of the bottle that has the plan. */
  statements: ReadonlyMap<string, Reports>;
}

/** Whether a notification names only doses that cannot be confirmed at the moment: a start or reminder of a silence. */
export const asksAboutDoses = ({ kind, event }: Delivery): boolean =>
  kind === 'bottle_silent' && ALERTING_EVENTS.includes(event);

/** The doses that a notification about a silence names; undefined of any other, and of the end of one. */
export function namedDoses(delivery: Delivery, shown: Alert): readonly Date[] | undefined {
  return asksAboutDoses(delivery) ? unconfirmedDosesOf(shown) : undefined;
}

/**
 * A silence without the doses of which it is known by now what became of them: people have stated it, it has come and gone,
 * or another bottle of the plan has reported.
 */
export function withoutKnownDoses<A extends Alert>(
  alert: A,
  delivery: Delivery,
  { outcomes, statements }: KnownDoses,
): A {
  if (!asksAboutDoses(delivery)) return alert;
  const plan = planOf(alert);
  const known = new Set(
    outcomes
      .filter(({ bottle_id, outcome }) => outcome !== 'unknown' && bottle_id.toHexString() === plan)
      .map(({ scheduled_at }) => scheduled_at.getTime()),
  );
  const stated = statements.get(plan);
  return namingOnly(
    alert,
    (dose) => !known.has(dose.getTime()) && settledBy(stated?.get(dose.getTime())) === undefined,
  );
}

/** The ids, in hex, of the alerts by which people may have been notified of the doses that a silence names. */
export function alertsOfUnconfirmedDoses(alert: Alert): string[] {
  return unconfirmedDosesOf(alert).flatMap((dose) => doseAlerts(alert, dose));
}

function doseAlerts(alert: Alert, cause: Date): string[] {
  const id = planOf(alert);
  const bottle = { _id: { toHexString: () => id } };
  return (['missed_dose', 'coverage_gap'] as const).map((kind) => alertIdOf({ bottle, kind, cause }));
}
