import { type AlertEvent, type Closing, decisionOf, endingOf, statementIn } from '#domain';
import { type Alert, type Contact, isDamaged, storedEvidence } from '#persistence';
import type { DeliveryDto } from '../deliveries/delivery.dto.js';
import { viewOf } from '../http/view.js';
import { nameOfActor } from './actor.js';
import { AlertDetailDto, AlertDto, type ListedAlertDto } from './alert.dto.js';

/** The events that bring an alert into a state. */
const LEADS_TO: Record<Alert['state'], readonly AlertEvent['event'][]> = {
  open: ['raised', 'snoozed'],
  acknowledged: ['acknowledged', 'confirmed', 'dismissed'],
  closed: ['closed_by_staff'],
  resolved: ['resolved', 'missed'],
  retracted: ['retracted'],
};

/** Who brought the alert into its current state, and when. */
export function lastStep({ state, history }: Pick<Alert, 'state' | 'history'>): AlertEvent | undefined {
  return history.findLast(({ event }) => LEADS_TO[state].includes(event));
}

/** Who assigned the alert last, to somebody or to nobody. */
export function lastAssignment({ history }: Pick<Alert, 'history'>): AlertEvent | undefined {
  return history.findLast(({ event }) => event === 'assigned' || event === 'unassigned');
}

/** The event that acknowledged the alert, while it is acknowledged. */
export function acknowledgedIn(alert: Alert): AlertEvent | undefined {
  return alert.state === 'acknowledged' ? lastStep(alert) : undefined;
}

type Acknowledgement = Pick<AlertDto, 'acknowledged_by' | 'acknowledged_by_name' | 'acknowledged_at'>;

function acknowledgement(alert: Alert, contact: Contact | undefined): Acknowledgement {
  const step = acknowledgedIn(alert);
  const name = step && nameOfActor(step.by, step.at, contact);
  return {
    acknowledged_by: step?.by ?? null,
    acknowledged_by_name: name ?? null,
    acknowledged_at: step?.at ?? null,
  };
}

/**
 * What earlier versions recorded as resolved by a person, was closed; a statement about the dose closes nothing, nor does
 * the withdrawal of a call for help.
 */
function closingOf({ kind, closing, history, evidence }: Alert): Closing | undefined {
  const resolved = history.findLast(({ event, by }) => event === 'resolved' && by !== 'notifier');
  if (closing || !resolved || statementIn(evidence) || kind === 'help_requested') return closing;
  const { by, at, note } = resolved;
  return { by, at, reason: 'other', notified: true, ...(note !== undefined && { note }) };
}

/** How the alert ended, and who closed it. */
function ending(alert: Alert): Pick<AlertDto, 'ended_as'> & { closing: Closing | undefined } {
  if (isDamaged(alert)) return { ended_as: null, closing: alert.closing };
  const closing = closingOf(alert);
  const state = closing && !alert.closing ? 'closed' : alert.state;
  return { ended_as: endingOf({ ...alert, state }) ?? null, closing };
}

/**
 * @param dead the numbers of notifications that could not be delivered, by alert id; none if absent
 * @param contact of its user
 */
export function alertView(
  alert: Alert,
  dead: ReadonlyMap<string, number>,
  contact: Contact | undefined,
): AlertDto {
  const dead_deliveries = dead.get(alert._id.toHexString()) ?? 0;
  return viewOf(AlertDto, {
    ...alert,
    ...acknowledgement(alert, contact),
    ...ending(alert),
    dead_deliveries,
  });
}

/** By what people know the bottle and the user of an alert. */
export type AlertNames = Pick<ListedAlertDto, 'user_name' | 'label' | 'time_zone'>;

/**
 * @param deliveries of this alert
 * @param contact of its user
 */
export function alertDetailView(
  alert: Alert,
  deliveries: DeliveryDto[],
  names: AlertNames,
  contact: Contact | undefined,
): AlertDetailDto {
  return viewOf(AlertDetailDto, {
    ...alert,
    history: alert.history.map((event) => ({ ...event, by_name: nameOfActor(event.by, event.at, contact) })),
    evidence: storedEvidence(alert) as object,
    ...names,
    ...acknowledgement(alert, contact),
    ...ending(alert),
    dead_deliveries: deliveries.filter(({ status }) => status === 'dead').length,
    suppressed: alert.suppressed ?? [],
    dismissed: decisionOf(alert) === 'dismissed',
    flapping: alert.flapping ?? false,
    deliveries,
  });
}
