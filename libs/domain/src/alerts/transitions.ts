import { notificationEventFacts } from '../notifications/notification-events.js';
import type { Alert, AlertEvent, AlertState } from './alert.js';
import { type AlertKind, alertKindFacts } from './alert-kinds.js';
import type { Closing } from './closing.js';
import type { AlertEnd, AlertToEnd, AlertToRaise, Learned } from './findings.js';
import { unconfirmedDosesOf } from './kinds/bottle-silent/silence.js';
import type { IncidentDecision } from './kinds/fleet-incident/decision.js';

/** Who did what to an alert, and when. */
export interface AlertActor {
  by: string;
  at: Date;
  note?: string | undefined;
}

type Fields = Omit<Alert, '_id' | 'bottle_id' | 'kind' | 'evidence' | 'history'>;

/** A change of an alert. */
export interface AlertChange {
  /** Fields that take this value. */
  set?: Partial<Fields>;
  /** Fields that are removed. */
  clear?: readonly (keyof Fields)[];
  /** What its evidence says from then on; undefined for what is no longer so. */
  learned?: Learned;
  /** Doses that its evidence lists besides, which cannot be confirmed. */
  unconfirmed?: readonly Date[];
  /** What is added to its history. */
  event: AlertEvent;
}

/** Fields that no ended alert has. */
const OF_OPEN = ['open', 'snoozed_until', 'cleared_at', 'clears_at'] as const;

const eventOf = (event: AlertEvent['event'], { by, at, note }: AlertActor): AlertEvent => ({
  event,
  at,
  by,
  ...(note !== undefined && { note }),
});

/** An alert that begins; its escalation is planned apart. */
export function onRaised<K extends AlertKind>(
  { bottle, kind, subject, deadline, evidence }: AlertToRaise<K>,
  now: Date,
): Omit<Alert, '_id' | 'bottle_id'> {
  const alert = {
    user_id: bottle.user_id,
    medication: bottle.medication,
    kind,
    subject,
    state: 'open',
    open: true,
    deadline,
    raised_at: now,
    evidence,
    history: [{ event: 'raised', at: now, by: 'notifier' }],
    escalation: [],
  };
  return alert as Omit<Alert, '_id' | 'bottle_id'>;
}

/** Somebody takes care of it: nobody is reminded any more. */
export function onAcknowledged(actor: AlertActor): AlertChange {
  return {
    set: { state: 'acknowledged' },
    clear: ['next_step_at', 'snoozed_until'],
    event: eventOf('acknowledged', actor),
  };
}

/** Of an alert that has ended, and whose steps go on. */
export function onStepsStopped(actor: AlertActor): AlertChange {
  return { clear: ['next_step_at'], event: eventOf('acknowledged', actor) };
}

/** Staff decide about a fleet incident, and take it over. */
export function onDecided(decision: IncidentDecision, actor: AlertActor): AlertChange {
  const { set, clear } = onAcknowledged(actor);
  return { set: { ...set, decision }, clear: clear!, event: eventOf(decision.outcome, actor) };
}

export function onDecisionWithdrawn(actor: AlertActor): AlertChange {
  return { clear: ['decision', 'dismissed'], event: eventOf('withdrawn', actor) };
}

/** Nothing is sent before `until`; then the last step repeats. */
export function onSnoozed(until: Date, actor: AlertActor): AlertChange {
  return {
    set: { state: 'open', snoozed_until: until, next_step_at: until },
    event: { ...eventOf('snoozed', actor), until },
  };
}

/** A dose is no longer promised: the last step is due at once, unless somebody takes care of the alert (ATTEST-16). */
export function onPromiseWithdrawn(state: AlertState, actor: AlertActor): AlertChange {
  const continued = onSnoozed(actor.at, actor);
  return state === 'acknowledged' ? { event: continued.event } : continued;
}

/** @param to undefined for nobody */
export function onAssigned(to: Alert['assigned_to'], actor: AlertActor): AlertChange {
  return to
    ? { set: { assigned_to: to }, event: { ...eventOf('assigned', actor), to: to.name } }
    : { clear: ['assigned_to'], event: eventOf('unassigned', actor) };
}

export function onNoted(actor: AlertActor): AlertChange {
  return { event: eventOf('noted', actor) };
}

/**
 * A person closes it: nobody is reminded any more. Its condition is still followed, and its end is recorded, unless the
 * kind has none.
 */
export function onClosed(kind: AlertKind, closing: Closing): AlertChange {
  const { by, at, reason, note, notified } = closing;
  return {
    set: { state: 'closed', closing, closed_at: at, ...(notified && { end_owed: 'closed_by_staff' }) },
    clear: alertKindFacts(kind).endsByStaff
      ? [...OF_OPEN, 'next_step_at']
      : ['next_step_at', 'snoozed_until'],
    event: { ...eventOf('closed_by_staff', { by, at, note }), reason },
  };
}

/** Its bottle leaves use: a person closes it, and its condition is not followed any more. */
export function onLeftBehind(kind: AlertKind, closing: Closing): AlertChange {
  return { ...onClosed(kind, closing), clear: [...OF_OPEN, 'next_step_at'] };
}

/** Whether the steps of an alert go on after this end: they bring it to whoever it has not reached yet. */
export function continuesPolicy({ owed }: AlertEnd): boolean {
  return owed !== undefined && notificationEventFacts(owed).continuesPolicy === true;
}

/**
 * Its condition ends, or its end is corrected.
 *
 * @param wasStopped its steps waited for the end of a snooze, or an acknowledgement had stopped them: if they go on, they
 *   are due at once
 */
export function onEnded(end: AlertEnd, wasStopped: boolean): AlertChange {
  const { state, at, owed, evidence } = end;
  const goesOn = continuesPolicy(end);
  return {
    set: {
      state,
      ended_at: at,
      ...(owed && { end_owed: owed }),
      ...(goesOn && wasStopped && { next_step_at: at }),
    },
    clear: goesOn ? OF_OPEN : [...OF_OPEN, 'next_step_at'],
    ...(evidence && { learned: evidence }),
    event: eventOf(state, end),
  };
}

/** The condition of a flapping alert clears: it ends when it has been clear for the delay, unless the condition returns. */
export function onCleared(
  { end, clearSince }: Pick<AlertToEnd, 'end' | 'clearSince'>,
  clearDelayMs: number,
  now: Date,
): AlertChange {
  const cleared_at = clearSince ?? now;
  return {
    set: { cleared_at, clears_at: new Date(cleared_at.getTime() + clearDelayMs) },
    ...(end.evidence && { learned: end.evidence }),
    event: { event: 'cleared', at: now, by: 'notifier' },
  };
}

/** What the evidence of a clearing says, of all kinds that can flap. It is not true any more once the condition is back. */
const HOW_IT_CLEARED = { heard_again_at: undefined, ended_by: undefined };

/** The condition returns during the hold-down: the alert continues, with the evidence of this time. */
export function onReturned(found: AlertToRaise, now: Date): AlertChange {
  const learned = Object.entries(found.evidence).filter(([name]) => name !== 'unconfirmed_doses');
  return {
    set: { returned_for: found.cause },
    clear: ['cleared_at', 'clears_at'],
    learned: { ...(Object.fromEntries(learned) as Learned), ...HOW_IT_CLEARED },
    unconfirmed: unconfirmedDosesOf(found),
    event: { event: 'returned', at: now, by: 'notifier' },
  };
}
