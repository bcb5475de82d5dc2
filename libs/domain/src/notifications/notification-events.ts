import {
  CLOSING_LOST,
  UNCLEAR_CLOSING,
  type DoseEndEvidence,
  isLateAgain,
  isMonitoredAgain,
  PLAN_NOT_MONITORED,
  SILENCE_UNSEEN,
  statementIn,
} from '../alerts/kinds/missed-dose/evidence.js';
import type { SettledAs } from '../attestations/attestation.js';
import { type DoseOutcome, isTaken } from '../doses/judge.js';
import type { English } from '../language/phrases.js';

/** The facts of one event that a notification is about. */
export interface NotificationEventFacts {
  /** Title of its message; a kind may have its own. Absent where every kind has one: the alert's title. */
  title?: English;
  /** The state in which an alert ends with this event; absent for events of an alert that is open. */
  ends?: 'resolved' | 'retracted' | 'closed';
  /** It is sent even if no earlier notification of the alert arrived. */
  standsAlone?: true;
  /** It reaches everyone whom the escalation policy names, and not only those who were notified. */
  reachesPolicy?: true;
  /** It does not end the escalation policy: steps that are still to come are sent at their time, as this event. */
  continuesPolicy?: true;
  /** All that one recipient is sent at a time are one message. */
  summarizes?: true;
  /** It corrects one of these. Who was not sent any of them is sent `partial` instead. */
  corrects?: readonly string[];
  /** The outcome of the dose that it is true of: it is not sent once the alert has another. */
  outcome?: DoseOutcome;
  /** Of a dose, its message has a link by which its recipient says what became of it. */
  asksForDose?: true;
  /** What people say of the dose, that it is true of: it is not sent once they say something else. */
  settledAs?: SettledAs;
}

/**
 * Every event that a notification can be about: the persisted and public names. A new event is one entry here, and its
 * label in the console's `message-events.ts`.
 */
export const NOTIFICATION_EVENT_FACTS = {
  raised: { asksForDose: true },
  escalated: { asksForDose: true },
  missed: {
    title: 'Dose missed',
    ends: 'resolved',
    standsAlone: true,
    continuesPolicy: true,
    outcome: 'missed',
    asksForDose: true,
  },
  partial: {
    title: 'Only part of the dose was taken',
    ends: 'resolved',
    standsAlone: true,
    reachesPolicy: true,
    outcome: 'partial',
    asksForDose: true,
  },
  corrected: {
    title: 'Correction: part of the dose was taken',
    ends: 'resolved',
    reachesPolicy: true,
    corrects: ['missed', 'partial', 'summary', 'resolved', 'corrected'],
    outcome: 'partial',
  },
  summary: {
    title: 'Doses missed earlier',
    ends: 'resolved',
    standsAlone: true,
    reachesPolicy: true,
    summarizes: true,
  },
  unconfirmed: {
    title: 'Doses cannot be confirmed',
    ends: 'resolved',
    standsAlone: true,
    reachesPolicy: true,
    summarizes: true,
    asksForDose: true,
  },
  unknown: { title: 'Dose cannot be confirmed', ends: 'resolved', outcome: 'unknown', asksForDose: true },
  resolved: { title: 'All clear', ends: 'resolved' },
  reported_taken: { title: 'Dose reported taken', ends: 'resolved', settledAs: 'taken' },
  reported_skipped: { title: 'Dose reported skipped', ends: 'resolved', settledAs: 'skipped' },
  statement_withdrawn: {
    title: 'Correction: the statement no longer counts',
    ends: 'resolved',
    settledAs: 'withdrawn',
  },
  monitored_again: { title: 'Correction: dose not taken yet', ends: 'resolved', asksForDose: true },
  not_taken_yet: {
    title: 'Correction: dose not taken yet',
    ends: 'resolved',
    standsAlone: true,
    asksForDose: true,
  },
  closed_by_staff: { title: 'Alert closed by support', ends: 'closed' },
  retracted: { title: 'Correction: this alert was wrong', ends: 'retracted' },
} as const satisfies Record<string, NotificationEventFacts>;

/** What happened to the alert that a notification is about. */
export type NotificationEvent = keyof typeof NOTIFICATION_EVENT_FACTS;

/** An event with which an alert ends. */
export type EndEvent = {
  [E in NotificationEvent]: (typeof NOTIFICATION_EVENT_FACTS)[E] extends { ends: string } ? E : never;
}[NotificationEvent];

export const NOTIFICATION_EVENTS = Object.keys(NOTIFICATION_EVENT_FACTS) as [
  NotificationEvent,
  ...NotificationEvent[],
];

/** Whether an event needs no earlier notification to have arrived: it is a start, a reminder, or a new fact. */
export function isNewFact(event: NotificationEvent, evidence: DoseEndEvidence): boolean {
  const { standsAlone } = notificationEventFacts(event);
  return ALERTING_EVENTS.includes(event) || standsAlone === true || concernsEveryone(event, evidence);
}

/** Whether an event reaches everyone whom the escalation policy names. */
export function reachesEveryone(event: NotificationEvent, evidence: DoseEndEvidence): boolean {
  return notificationEventFacts(event).reachesPolicy === true || concernsEveryone(event, evidence);
}

/** Of doses with these rules nobody was notified before they were unknown. */
const FIRST_WHEN_UNKNOWN: ReadonlySet<string> = new Set([
  SILENCE_UNSEEN,
  CLOSING_LOST,
  UNCLEAR_CLOSING,
  PLAN_NOT_MONITORED,
]);

/** By its evidence, an event is new to everyone: nobody was notified before, or somebody has to bring pills. */
function concernsEveryone(event: NotificationEvent, evidence: DoseEndEvidence): boolean {
  const { rule } = evidence;
  if (event === 'reported_skipped') return statementIn(evidence)?.reason === 'ran_out';
  return event === 'unknown' && rule !== undefined && FIRST_WHEN_UNKNOWN.has(rule);
}

/** The events while an alert is open; the others are about its end. */
export const ALERTING_EVENTS: readonly NotificationEvent[] = NOTIFICATION_EVENTS.filter(
  (event) => notificationEventFacts(event).ends === undefined,
);

/** Whether an ended alert is as its notification about this event says. */
export function isTrueOf(
  event: NotificationEvent,
  { state, evidence }: { state: string; evidence: DoseEndEvidence },
): boolean {
  const { ends, outcome, settledAs } = notificationEventFacts(event);
  if (ends !== state) return false;
  // until the dose has an outcome
  if (event === 'monitored_again' && !isMonitoredAgain(evidence)) return false;
  if (event === 'not_taken_yet' && !isLateAgain(evidence)) return false;
  const settled = statementIn(evidence)?.settled;
  if (settledAs !== undefined) return settled === settledAs;
  // what the bottle measured is still true, but nobody has to be alerted to it
  if (ends === 'resolved' && (settled === 'taken' || settled === 'skipped')) return false;
  // all clear: until late data or a statement shows that the dose was not taken after all
  if (event === 'resolved')
    return evidence.outcome === undefined ? !isLateAgain(evidence) : isTaken(evidence.outcome);
  return outcome === undefined || evidence.outcome === outcome;
}

/** The facts of an event. */
export function notificationEventFacts(event: NotificationEvent): NotificationEventFacts {
  return NOTIFICATION_EVENT_FACTS[event];
}
