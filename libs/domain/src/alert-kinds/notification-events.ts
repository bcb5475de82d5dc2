import type { DoseOutcome } from '../doses/judge.js';

/** The facts of one event that a notification is about. */
export interface NotificationEventFacts {
  /** Title of its message; a kind may have its own. Absent where every kind has one: the alert's title. */
  title?: string;
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
}

/**
 * Every event that a notification can be about: the persisted and public names. A new event is one entry here, and its
 * label in the console's `message-events.ts`.
 */
export const NOTIFICATION_EVENT_FACTS = {
  raised: {},
  escalated: {},
  missed: {
    title: 'Dose missed',
    ends: 'resolved',
    standsAlone: true,
    continuesPolicy: true,
    outcome: 'missed',
  },
  partial: {
    title: 'Only part of the dose was taken',
    ends: 'resolved',
    standsAlone: true,
    reachesPolicy: true,
    outcome: 'partial',
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
  unknown: { title: 'Dose cannot be confirmed', ends: 'resolved', outcome: 'unknown' },
  resolved: { title: 'All clear', ends: 'resolved' },
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

/** The events while an alert is open; the others are about its end. */
export const ALERTING_EVENTS: readonly NotificationEvent[] = NOTIFICATION_EVENTS.filter(
  (event) => notificationEventFacts(event).ends === undefined,
);

/** The facts of an event. */
export function notificationEventFacts(event: NotificationEvent): NotificationEventFacts {
  return NOTIFICATION_EVENT_FACTS[event];
}
