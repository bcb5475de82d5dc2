import {
  type AlertContent,
  isPart,
  NAMES_PART,
  partTaken,
  statedTitle,
  statementLines,
  leftOpen,
  removedForLater,
  timesOf,
  unknownLines,
  unreportedLines,
} from '../messages/dose-texts.js';
import { extraPillLines } from '../messages/extra-dose-texts.js';
import { DOSE_ENDINGS, type Endings, endsIn, isClosingLost, wasOpenedAgain, wasRefilled } from './endings.js';
import { hasNeverReported } from './silence.js';
import { CLOSING_LOST, type NotificationEvent, notificationEventFacts } from '../notifications/notification-events.js';

/**
 * What the domain knows of one kind of alert: its facts, how it ends, and the texts of its notifications. What is found
 * is in the notifier's entry; what staff read is in the console's.
 */
export interface AlertKindFacts {
  /** In a few words, for a person who is not staff. */
  title: string;
  /** Name of its series in the fleet's charts. */
  series: string;
  /** Place in the list of alerts that need attention; 0 comes first. */
  urgency: number;
  /** Quiet hours do not defer its notifications. By evidence, where not all are so urgent. */
  critical?: true | ((evidence: Record<string, unknown>) => boolean);
  /** The recipient's hourly limit does not delay its notifications. */
  unthrottled?: true;
  /** Its condition comes and goes by itself, so its end is held down. Other kinds have a hysteresis. */
  canFlap?: true;
  /** `DISABLED_ALERTS` may name it. */
  optional?: true;
  /** An open or dismissed fleet incident holds its notifications back. */
  heldByFleetIncident?: true;
  /** While it lasts, whoever was notified is notified every 24 h of the doses that it has come to hide since. */
  daily?: true;
  /** Only staff end it: its condition is an event that is over. */
  endsByStaff?: true;
  /** It is about the whole fleet: staff confirm or dismiss it. */
  aboutFleet?: true;
  /** Its end is sent even if its start did not arrive, or was over before it was sent. */
  endStandsAlone?: true;
  /** Its cause is an action of the bottle: `cause` is the action's time. */
  causedByAction?: true;
  /** Its messages ask what became of the dose: recipients can state it. By evidence, where not all are about a dose. */
  asksForDose?: true | ((evidence: Record<string, unknown>) => boolean);
  /** It has the escalation policy of another kind. */
  policyOf?: 'missed_dose';
  /** How its condition can end; absent if it cannot. */
  endings?: Endings;
  /**
   * Titles by event, where they differ from the event's own in the catalogue of events. `raised` is {@link title}, and
   * so is `escalated` unless given. Titles name no medication: a locked phone shows them to whoever looks.
   */
  titles?: Partial<
    Record<NotificationEvent, string | ((evidence: Record<string, unknown>) => string | undefined)>
  >;
  /**
   * Sentences of the body that only this kind has.
   *
   * @param at formats an ISO time in the recipient's zone
   */
  lines?: (message: AlertContent, at: (iso: string) => string) => string[];
  /** What a closing by staff does not say: the condition may last. */
  afterClosing?: string;
}

/** Every kind of alert. The order is that of the API's enumerations and of the charts. */
export const ALERT_KIND_FACTS = {
  missed_dose: {
    title: 'Dose not taken yet',
    series: 'Missed dose',
    urgency: 2,
    unthrottled: true,
    asksForDose: true,
    endings: DOSE_ENDINGS,
    titles: {
      // whoever reads that nothing was taken may give all of it
      raised: (evidence) => (isPart(evidence) ? 'Only part of the dose was taken so far' : undefined),
      escalated: (evidence) =>
        isPart(evidence)
          ? 'Reminder: only part of the dose was taken so far'
          : 'Reminder: dose still not taken',
      unknown: (evidence) => (isPart(evidence) ? 'Rest of the dose cannot be confirmed' : undefined),
      resolved: 'All clear: late dose taken',
      retracted: 'Correction: the dose was taken',
      reported_taken: statedTitle,
      reported_skipped: statedTitle,
    },
    lines: ({ event, subject, evidence }, at) => [
      `Due: ${at(subject)}.`,
      ...(NAMES_PART.has(event) ? partTaken(evidence, at) : []),
      ...leftOpen(event, evidence, at),
      ...removedForLater(event, evidence),
      ...(notificationEventFacts(event).settledAs ? statementLines(event, evidence, at) : []),
      ...(event === 'unknown' ? unknownLines(evidence, at) : []),
    ],
    afterClosing: 'This does not say whether the dose was taken. You get a message if it is missed.',
  },
  bottle_open: {
    title: 'Bottle left open',
    series: 'Bottle open',
    urgency: 4,
    canFlap: true,
    causedByAction: true,
    endings: endsIn(['lid_closed', 'opened_again', CLOSING_LOST], (evidence) =>
      isClosingLost(evidence) ? CLOSING_LOST : wasOpenedAgain(evidence) ? 'opened_again' : 'lid_closed',
    ),
    titles: {
      escalated: 'Reminder: bottle still open',
      resolved: (evidence) =>
        isClosingLost(evidence)
          ? 'Bottle was probably closed'
          : wasOpenedAgain(evidence)
            ? 'Bottle was opened again'
            : 'All clear: bottle closed',
      retracted: 'Correction: the bottle had been closed',
    },
    lines: ({ evidence }, at) => {
      const lost = unreportedLines(evidence, at);
      return lost.length > 0 ? [...lost, 'Check whether the bottle is closed.'] : [];
    },
    afterClosing: 'The bottle may still be open.',
  },
  bottle_silent: {
    title: 'Bottle offline',
    series: 'Bottle silent',
    urgency: 5,
    canFlap: true,
    daily: true,
    heldByFleetIncident: true,
    endings: endsIn(['back_online']),
    titles: {
      raised: (evidence) => (hasNeverReported(evidence) ? 'Bottle has never reported' : undefined),
      escalated: (evidence) =>
        hasNeverReported(evidence)
          ? 'Reminder: bottle has still never reported'
          : 'Reminder: bottle still offline',
      resolved: (evidence) =>
        hasNeverReported(evidence) ? 'All clear: bottle online' : 'All clear: bottle online again',
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
  extra_dose: {
    title: 'More pills taken than planned',
    series: 'Extra dose',
    urgency: 1,
    // a single pill too early waits for the morning, unless the doses are a week or more apart
    critical: ({ rule, is_rare }) => rule !== 'too_early' || is_rare === true,
    endsByStaff: true,
    unthrottled: true,
    optional: true,
    causedByAction: true,
    endings: endsIn(['returned']),
    titles: {
      resolved: 'All clear: the pills were put back',
      retracted: 'Correction: no more pills than planned were taken',
    },
    lines: ({ event, evidence }, at) => (event === 'retracted' ? [] : extraPillLines(evidence, at)),
  },
  low_supply: {
    title: 'Pills running low',
    series: 'Low supply',
    urgency: 7,
    optional: true,
    endings: endsIn(['refilled', 'enough_pills'], (evidence) =>
      wasRefilled(evidence) ? 'refilled' : 'enough_pills',
    ),
    titles: {
      resolved: (evidence) =>
        wasRefilled(evidence) ? 'All clear: bottle refilled' : 'All clear: pills last long enough',
    },
    afterClosing: 'The pills may still be running low.',
  },
  count_mismatch: {
    title: 'Weight and pill count differ',
    series: 'Count mismatch',
    urgency: 6,
    optional: true,
    endings: endsIn(['count_agrees', 'other_medication'], ({ agrees_again }) =>
      agrees_again === undefined ? 'other_medication' : 'count_agrees',
    ),
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
    title: 'Bottle battery low',
    series: 'Battery low',
    urgency: 8,
    optional: true,
    endings: endsIn(['charged']),
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
  fleet_incident: {
    title: 'Many bottles offline at once',
    series: 'Fleet incident',
    urgency: 0,
    aboutFleet: true,
    endings: endsIn(['incident_over']),
    titles: { resolved: 'All clear: bottles online again' },
  },
  coverage_gap: {
    title: 'We could not see: no reports accepted, or no checks run',
    series: 'Coverage gap',
    urgency: 3,
    endStandsAlone: true,
    policyOf: 'missed_dose',
    unthrottled: true,
    // of the service, or of a dose in it
    asksForDose: isOfDose,
    endings: endsIn(['unknown', 'coverage_restored'], (evidence) =>
      isOfDose(evidence) ? 'unknown' : 'coverage_restored',
    ),
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
} as const satisfies Record<string, AlertKindFacts>;

export type AlertKind = keyof typeof ALERT_KIND_FACTS;

export const ALERT_KINDS = Object.keys(ALERT_KIND_FACTS) as [AlertKind, ...AlertKind[]];

type KindEndings = Extract<(typeof ALERT_KIND_FACTS)[AlertKind], { endings: Endings }>['endings'];
/** How an alert can end. */
export type AlertEnding = KindEndings['names'][number] | (typeof ANY_KIND_ENDINGS)[number];

/** Alerts of any kind may be retracted or closed. */
const ANY_KIND_ENDINGS = ['retracted', 'closed_by_staff'] as const;

/** The public names of all endings, in the order of the API's enumeration. */
export const ALERT_ENDINGS = [
  ...new Set<AlertEnding>(ALERT_KINDS.flatMap((kind) => endingsOf(kind)?.names ?? [])),
  ...ANY_KIND_ENDINGS,
];

/** How alerts of a kind end when their condition does; undefined if it cannot. */
export function endingsOf(kind: AlertKind): KindEndings | undefined {
  return alertKindFacts(kind).endings as KindEndings | undefined;
}

/** The facts of a kind. */
export function alertKindFacts(kind: AlertKind): AlertKindFacts {
  return ALERT_KIND_FACTS[kind];
}

/** Whether an alert asks what became of its dose, which is its subject. */
export function asksForDose({ kind, evidence }: { kind: AlertKind; evidence: object }): boolean {
  const { asksForDose: asks } = alertKindFacts(kind);
  return typeof asks === 'function' ? asks(evidence as Record<string, unknown>) : asks === true;
}

/** Whether quiet hours do not defer the notifications of an alert. */
export function isCritical({ kind, evidence }: { kind: AlertKind; evidence: object }): boolean {
  const { critical } = alertKindFacts(kind);
  return typeof critical === 'function' ? critical(evidence as Record<string, unknown>) : critical === true;
}

/** A coverage gap of a dose, and not of the service. */
function isOfDose({ rule }: Record<string, unknown>): boolean {
  return rule === 'coverage_grace';
}

/** The kinds of which a fact holds. */
export function alertKindsThat(
  fact: 'unthrottled' | 'canFlap' | 'optional' | 'heldByFleetIncident' | 'aboutFleet',
): AlertKind[] {
  return ALERT_KINDS.filter((kind) => alertKindFacts(kind)[fact]);
}

/** The kinds, the most urgent first. */
export const BY_URGENCY: readonly AlertKind[] = ALERT_KINDS.toSorted(
  (one, other) => alertKindFacts(one).urgency - alertKindFacts(other).urgency,
);
