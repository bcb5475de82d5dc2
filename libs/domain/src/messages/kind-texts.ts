import type { AlertKind } from '../alert-kinds/alert-kinds.js';
import { wasRefilled } from '../alert-kinds/endings.js';
import type { NotificationEvent } from '../alert-kinds/notification-events.js';

/** What a notification says of an alert, as a receiver gets it. Times are ISO 8601, UTC. */
export interface AlertMessage {
  kind: AlertKind;
  event: NotificationEvent;
  subject: string;
  evidence: Record<string, unknown>;
}

/** The wording of one kind's notifications. */
export interface KindTexts {
  /**
   * Titles by event, where they differ from the event's own in the catalogue of events. `raised` is the title in the
   * catalogue of kinds, and so is `escalated` unless given. Titles name no medication: a locked phone shows them to
   * whoever looks.
   */
  titles: Partial<Record<NotificationEvent, string | ((evidence: Record<string, unknown>) => string)>>;
  /**
   * Sentences of the body that only this kind has.
   *
   * @param at formats an ISO time in the recipient's zone
   */
  lines?: (message: AlertMessage, at: (iso: string) => string) => string[];
  /** What a closing by staff does not say: the condition may last. */
  afterClosing?: string;
}

/** The wording of every kind's notifications. */
export const KIND_TEXTS: Readonly<Record<AlertKind, KindTexts>> = {
  missed_dose: {
    titles: {
      escalated: 'Reminder: dose still not taken',
      resolved: 'All clear: late dose taken',
      retracted: 'Correction: the dose was taken',
    },
    lines: ({ event, subject, evidence }, at) => [
      `Due: ${at(subject)}.`,
      ...(event === 'partial' || event === 'corrected' ? partTaken(evidence, at) : []),
      ...(event === 'unknown' ? ['The bottle was not connected at its end. Ask whether it was taken.'] : []),
    ],
    afterClosing: 'This does not say whether the dose was taken. You get a message if it is missed.',
  },
  bottle_open: {
    titles: {
      escalated: 'Reminder: bottle still open',
      resolved: 'All clear: bottle closed',
      retracted: 'Correction: the bottle had been closed',
    },
    afterClosing: 'The bottle may still be open.',
  },
  bottle_silent: {
    titles: {
      escalated: 'Reminder: bottle still offline',
      resolved: 'All clear: bottle online again',
    },
    lines: ({ evidence }, at) =>
      timesOf(evidence['unconfirmed_doses']).map((iso) => `Cannot be confirmed: the dose of ${at(iso)}.`),
    afterClosing: 'The bottle may still be offline.',
  },
  // it has no end: what was taken was taken
  extra_dose: { titles: {} },
  low_supply: {
    titles: {
      resolved: (evidence) =>
        wasRefilled(evidence) ? 'All clear: bottle refilled' : 'All clear: pills last long enough',
    },
    afterClosing: 'The pills may still be running low.',
  },
  count_mismatch: {
    titles: {
      escalated: 'Reminder: weight and pill count still differ',
      resolved: ({ agrees_again }) =>
        agrees_again === undefined
          ? 'All clear: another medication is in the bottle'
          : 'All clear: weight and pill count agree',
    },
    // what a person can check by looking into the bottle
    lines: ({ event, evidence: { number_of_pills: counted, difference_pills: difference } }) => {
      if (event === 'resolved' || typeof counted !== 'number' || typeof difference !== 'number') return [];
      const weighed = Math.round(counted + difference);
      return [`By its count there are ${counted} pills in it, by its weight about ${weighed}.`];
    },
    afterClosing: 'Weight and pill count may still differ.',
  },
  battery_low: {
    titles: {
      escalated: 'Reminder: battery still low',
      resolved: 'All clear: battery charged',
    },
    lines: ({ event, evidence: { battery_percent, recovered_percent } }) => {
      const percent = event === 'resolved' ? recovered_percent : battery_percent;
      return typeof percent === 'number' ? [`Battery: ${percent} %.`] : [];
    },
    afterClosing: 'The battery may still be low.',
  },
  fleet_incident: { titles: { resolved: 'All clear: bottles online again' } },
};

/** What was taken of a dose: `1 of 2 pills were taken: Monday, 2 March 2026 at 08:05:00 UTC.` */
function partTaken(
  { pills_taken: taken, pills_scheduled: scheduled, part_taken_at: time }: Record<string, unknown>,
  at: (iso: string) => string,
): string[] {
  if (typeof taken !== 'number' || typeof scheduled !== 'number') return [];
  const [last] = timesOf([time]);
  return [`${taken} of ${scheduled} pills were taken${time === undefined ? '' : `: ${at(last!)}`}.`];
}

function timesOf(doses: unknown): string[] {
  return Array.isArray(doses)
    ? doses.map((dose: unknown) => (dose instanceof Date ? dose.toISOString() : String(dose)))
    : [];
}
