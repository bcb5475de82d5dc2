import type { Id } from '../bottle-state/bottle-state.js';
import type { PersonStep } from '../notifications/escalation.js';
import type { EndEvent } from '../notifications/notification-events.js';
import type { AlertKind, EvidenceOf } from './alert-kinds.js';
import type { CloseReason, Closing } from './closing.js';
import type { IncidentDecision } from './kinds/fleet-incident/decision.js';

export const ALERT_STATES = ['open', 'acknowledged', 'closed', 'resolved', 'retracted'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** The states in which people are still notified, and staff can act. */
export const ACTIVE_STATES: readonly AlertState[] = ['open', 'acknowledged'];

/** Whether recipients can acknowledge an alert: that its dose was missed is a new fact, which only staff take over. */
export const canBeAcknowledged = ({ state }: { state: AlertState }): boolean => ACTIVE_STATES.includes(state);

/**
 * `cleared`: the condition cleared and may return; `returned`: it did. `confirmed`, `dismissed`: the staff's decision
 * about a fleet incident; `withdrawn`: they withdrew it.
 */
export const ALERT_EVENTS = [
  'raised',
  'escalated',
  'acknowledged',
  'confirmed',
  'dismissed',
  'withdrawn',
  'snoozed',
  'closed_by_staff',
  'cleared',
  'returned',
  'resolved',
  'retracted',
  'missed',
  'assigned',
  'unassigned',
  'noted',
] as const;

/** One step in an alert's life: who did what and when. */
export interface AlertEvent {
  event: (typeof ALERT_EVENTS)[number];
  at: Date;
  /** `notifier`, or the staff member's or API key's name. */
  by: string;
  note?: string;
  /** Of `assigned`: the name of whom. */
  to?: string;
  /** Of `closed_by_staff`. */
  reason?: CloseReason;
  /** Of `snoozed`: until when; absent of one from before this was kept. */
  until?: Date;
}

/** What alerts of every kind have. */
interface AlertFields {
  /** Made of bottle, kind and cause: the same condition is never recorded twice. */
  _id: Id;
  bottle_id: Id;
  user_id: string;
  medication: string;
  /**
   * What of the bottle is concerned: the dose's slot for `missed_dose`; the part of the service, or the dose's slot, for
   * `coverage_gap`; the cause for `extra_dose`; empty for the others.
   */
  subject: string;
  state: AlertState;
  /** True until the condition has ended; then absent. A closed alert keeps it while its condition lasts. */
  open?: true;
  /** The deadline that passed. */
  deadline: Date;
  raised_at: Date;
  ended_at?: Date;
  history: AlertEvent[];
  /** What was not raised because of this alert, and why. */
  suppressed?: { kind: AlertKind; reason: string; at: Date }[];
  /** Its place in a trace (W3C Trace Context), if it was traced: its notifications continue it. */
  traceparent?: string;
  /** The escalation as it was when the alert was raised. */
  escalation: PersonStep[];
  /** When the next escalation step is due; also after a dose was missed. Absent when nobody is notified any more. */
  next_step_at?: Date;
  /** All steps due up to this moment are queued. */
  stepped_until?: Date;
  /**
   * Of `bottle_silent`: the doses that it names and that ended unknown after it was raised, when that was found, and when
   * its daily message is due: absent in records of earlier versions, of which it is due as if the dose had ended then.
   */
  doses_added?: { dose: Date; at: Date; due_at?: Date }[];
  /** How staff closed the alert; stays when its condition ends later. */
  closing?: Closing;
  /** Present with `closing`. */
  closed_at?: Date;
  /** The alert has ended and its recipients are owed this notification; absent once it is queued. */
  end_owed?: EndEvent;
  /** The condition flaps: its end waits for a hold-down. */
  flapping?: true;
  /** When the condition cleared; absent while it lasts, and in alerts that end at once. */
  cleared_at?: Date;
  /** Set with `cleared_at`: when the alert ends, unless the condition returns. */
  clears_at?: Date;
  /** The cause of the last return. */
  returned_for?: Date;
  /** Nothing is sent before this. Absent when it is not snoozed. */
  snoozed_until?: Date;
  /** Who takes care of it. Absent while nobody does. */
  assigned_to?: { id: string; name: string };
  /** What staff decided about this fleet incident. Absent while its notifications wait for a decision. */
  decision?: IncidentDecision;
  /** Earlier versions recorded the decision `dismissed` so. */
  dismissed?: true;
}

/** One thing that is or was wrong with one bottle, or with the fleet: a union, discriminated by the kind. */
export type Alert<K extends AlertKind = AlertKind> = {
  [P in K]: AlertFields & { kind: P; evidence: EvidenceOf<P> };
}[K];

/** Those of a kind. */
export function alertsOf<K extends AlertKind, A extends { kind: AlertKind }>(
  alerts: readonly A[],
  kind: K,
): Extract<A, { kind: K }>[] {
  return alerts.filter((alert): alert is Extract<A, { kind: K }> => alert.kind === kind);
}
