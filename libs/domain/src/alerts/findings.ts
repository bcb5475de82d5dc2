import type { Id } from '../bottle-state/bottle-state.js';
import { derivedId } from '../ids/derived-id.js';
import type { EndEvent } from '../notifications/notification-events.js';
import type { Alert } from './alert.js';
import type { AlertKind, EvidenceOf } from './alert-kinds.js';

/** What of a bottle goes into its alerts. */
export interface AlertBottle {
  _id: Id;
  user_id: string;
  medication: string;
}

/** What is known of an alert later; undefined for what is no longer so. */
export type Learned<K extends AlertKind = AlertKind> = {
  [P in K]: LearnedBy<EvidenceOf<P>>;
}[K];

/** Of each rule. */
type LearnedBy<E> = E extends unknown ? { [F in keyof E]?: E[F] | undefined } : never;

/** How an alert ends. */
export interface AlertEnd<K extends AlertKind = AlertKind> {
  state: 'resolved' | 'retracted';
  at: Date;
  by: string;
  note?: string;
  /** What is known by then. */
  evidence?: Learned<K>;
  /** Which notification its recipients are owed; none when absent. */
  owed?: EndEvent;
}

/** The end of a condition that a check has found to be over: its recipients are notified that all is clear. */
export function resolvedEnd<K extends AlertKind>(
  at: Date,
  known: Pick<AlertEnd<K>, 'evidence' | 'note'> = {},
): AlertEnd<K> {
  return { state: 'resolved', owed: 'resolved', at, by: 'notifier', ...known };
}

/** A condition that a check has found and confirmed. */
export type AlertToRaise<K extends AlertKind = AlertKind> = {
  [P in K]: {
    bottle: AlertBottle;
    kind: P;
    /** What of the bottle is concerned; empty unless several can be open at once. */
    subject: string;
    /** Identifies this occurrence: the same cause never makes a second alert. */
    cause: Date;
    deadline: Date;
    evidence: EvidenceOf<P>;
    /** Given when the condition is found only after it has ended: the alert is recorded, and its end sent. */
    end?: AlertEnd<P>;
    /** With `end`: an alert that was raised at or before this time is found again, and does not end by it. */
    endsIfRaisedAfter?: Date;
  };
}[K];

/** An alert and how it ends. */
export interface AlertToEnd<K extends AlertKind = AlertKind> {
  alert: Alert<K>;
  end: AlertEnd<K>;
  /** The contact since which the condition is clear, if that is not the moment at which it is found. */
  clearSince?: Date | undefined;
}

/** The id of the alert for a finding, in hex. */
export function alertIdOf({
  bottle,
  kind,
  cause,
}: {
  bottle: Pick<AlertBottle, '_id'>;
  kind: AlertKind;
  cause: Date;
}): string {
  return derivedId('alert', bottle._id.toHexString(), kind, cause.toISOString());
}

/** The kinds about how a bottle is: that concerns whoever uses it. */
type ConditionKind =
  | 'battery_low'
  | 'bottle_open'
  | 'bottle_silent'
  | 'count_mismatch'
  | 'doses_missed_in_a_row'
  | 'low_supply';

/** Whether an alert is of a person who had the bottle before. */
export function isOfAnother(alert: Pick<Alert, 'user_id'>, bottle: { user_id: string }): boolean {
  return alert.user_id !== bottle.user_id;
}

/** What was found of the bottle is its new user's from now on. */
export function endForAnother<K extends ConditionKind>(alert: Alert<K>, now: Date): AlertToEnd<K> {
  const evidence: Learned<ConditionKind> = { other_person: true };
  return {
    alert,
    end: resolvedEnd<K>(now, { evidence: evidence as Learned<K>, note: 'another person’s bottle' }),
  };
}
