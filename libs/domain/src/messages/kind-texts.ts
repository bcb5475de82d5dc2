import type { AlertKind } from '../alert-kinds/alert-kinds.js';
import { wasRefilled } from '../alert-kinds/endings.js';
import { type NotificationEvent, notificationEventFacts } from '../alert-kinds/notification-events.js';
import { SKIP_REASON_TEXTS, statementIn } from '../attestations/attestation.js';

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
      reported_taken: statedTitle,
      reported_skipped: statedTitle,
    },
    lines: ({ event, subject, evidence }, at) => [
      `Due: ${at(subject)}.`,
      ...(event === 'partial' || event === 'corrected' ? partTaken(evidence, at) : []),
      ...(notificationEventFacts(event).settledAs ? statementLines(event, evidence, at) : []),
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
    lines: ({ event, evidence }, at) =>
      timesOf(evidence['unconfirmed_doses']).map((iso) =>
        // its reports may have arrived since
        event === 'resolved'
          ? `Not confirmed while the bottle was offline: the dose of ${at(iso)}.`
          : `Cannot be confirmed: the dose of ${at(iso)}.`,
      ),
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
  coverage_gap: {
    titles: {
      resolved: 'Coverage gap over: reports are accepted and checks run',
      retracted: 'Correction: the dose was taken',
    },
    lines: ({ event, subject, evidence: { from, until, doses } }, at) => [
      ...(event === 'retracted' ? [`Due: ${at(subject)}.`] : []),
      ...(subject === 'notifier' ? ['No notifier ran its checks.'] : []),
      ...(subject === 'device-api' ? ['No device-api accepted reports.'] : []),
      ...timesOf(from === undefined ? [] : [from]).map((iso) => `From: ${at(iso)}.`),
      ...timesOf(until === undefined ? [] : [until]).map((iso) => `To: ${at(iso)}.`),
      ...(typeof doses === 'number' ? [`Doses due in it: ${doses}.`] : []),
    ],
    afterClosing: 'The gap may last.',
  },
};

/** `Dose reported taken by the carer`; a correction if something else was sent before. */
function statedTitle(evidence: Record<string, unknown>): string {
  const { settled, by } = statementIn(evidence) ?? {};
  const corrects = evidence['outcome'] !== undefined;
  return `${corrects ? 'Correction: dose' : 'Dose'} reported ${settled} by ${by}`;
}

function statementLines(
  event: NotificationEvent,
  evidence: Record<string, unknown>,
  at: (iso: string) => string,
): string[] {
  const { was, taken_at, reason, by } = statementIn(evidence) ?? {};
  if (event !== 'statement_withdrawn')
    return [
      ...(taken_at ? [`Taken: ${at(...(timesOf([taken_at]) as [string]))}.`] : []),
      ...(reason ? [`Reason: ${SKIP_REASON_TEXTS.get(reason)}.`] : []),
    ];
  const measured = evidence['outcome'];
  return [
    `It is no longer reported ${String(was)}. Changed by ${by}.`,
    ...(measured === 'missed' ? ['The bottle recorded no dose.'] : []),
    ...(measured === 'partial' ? partTaken(evidence, at) : []),
  ];
}

/** What was taken of a dose: `1 of 2 pills were taken: Monday, 2 March 2026 at 08:05:00 UTC.` */
function partTaken(
  { pills_taken: taken, pills_scheduled: scheduled, part_taken_at: time }: Record<string, unknown>,
  at: (iso: string) => string,
): string[] {
  if (typeof taken !== 'number' || typeof scheduled !== 'number') return [];
  const [last] = timesOf([time]);
  return [`${taken} of ${scheduled} pills were taken${time === undefined ? '' : `: ${at(last!)}`}.`];
}

/** Instants as ISO 8601, as a message has them or the database. */
export function timesOf(doses: unknown): string[] {
  return Array.isArray(doses)
    ? doses.map((dose: unknown) => (dose instanceof Date ? dose.toISOString() : String(dose)))
    : [];
}
