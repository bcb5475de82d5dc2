import type { Meaning } from '../ui/Mark.js';
import { RING } from '../ui/shapes.js';
import type { EvidenceReader } from './evidence-reader.js';
import { statementSentence } from './statement.js';
import { unclearClosingText } from './unclear-closing.js';
import { t } from '../i18n/i18n.js';
import { periodReasonText } from '../features/periods/reasons.js';

/** Everything that the console knows of one kind of alert. */
export interface AlertKindEntry extends Meaning {
  /** @param when the time that the alert's subject names, if it names one */
  title: (when: string | undefined) => string;
  /** What the rule saw, by the rule that the evidence names. */
  why?: Record<string, (read: EvidenceReader) => string[]>;
  /** What was added to the evidence later. */
  whyEnded?: (read: EvidenceReader) => string[];
  /** How its condition ends, as the API names it. Only good news is green. */
  endings?: Record<string, Meaning>;
  /** Colour of its line in the chart of alerts by kind; kinds without one have no line. */
  chartColour?: string;
}

/** It ended because the bottle was given another user. */
const ANOTHER_PERSON: Meaning = { label: t('Another person’s now'), tone: 'silent', shape: 'slashed' };

/** When a dose was due, late and missed, and what had been removed of it. */
const doseSentences = (read: EvidenceReader): string[] => [
  t('A dose of {{pills}} was due at {{due}}. It is late from {{late}} and missed from {{missed}}.', {
    pills: read.pills('pills_scheduled'),
    due: read.time('scheduled_at'),
    late: read.time('late_at'),
    missed: read.time('missed_at'),
  }),
  capital(t('{{pills}} had been removed.', { pills: read.pills('pills_taken') })),
];

/** The same, and that the bottle reported afterwards. */
const lateSentences = (read: EvidenceReader): string[] => [
  ...doseSentences(read),
  ...read.when('heard_at', (time) =>
    t('The bottle reported after that, at {{time}}, so it was connected.', { time }),
  ),
];

/** That pills left the bottle by its count, and its closing was lost. */
const unreportedSentence = (read: EvidenceReader): string[] =>
  read.has('unreported_pills', () =>
    t('By its count, {{pills}} left the bottle between {{from}} and {{until}}, and no closing reported it.', {
      pills: read.pills('unreported_pills'),
      from: read.time('unreported_from'),
      until: read.time('unreported_until'),
    }),
  );

/** The kinds of alerts, in the order in which the console lists them. */
export const ALERT_KIND_TABLE = {
  fleet_incident: {
    label: t('Fleet incident'),
    tone: 'silent',
    shape: [
      { d: 'M11 4a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z', as: 'filled' },
      { d: 'M6.8 11.6a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z', as: 'filled' },
      { d: 'M15.2 11.6a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z', as: 'filled' },
    ],
    title: () => t('Many bottles silent at once'),
    why: {
      fleet_incident_percent: (read) => [
        t(
          '{{silent}} of {{reporting}} bottles became silent in one run; more than {{percent}} % is a fleet incident.',
          {
            silent: read.number('silent_bottles'),
            reporting: read.number('heard_bottles'),
            percent: read.number('percent'),
          },
        ),
      ],
    },
    whyEnded: (read) =>
      read.has('still_silent', () =>
        t('{{silent}} bottles were still silent when it ended.', { silent: read.number('still_silent') }),
      ),
    endings: { incident_over: { label: t('Bottles back online'), tone: 'ok', shape: 'check' } },
  },
  help_requested: {
    label: t('Help requested'),
    tone: 'open',
    shape: [{ d: RING }, { d: 'M8 4.6v4.2M8 11v.4', width: 1.8 }],
    title: (when) =>
      when === undefined ? t('Help requested') : t('Help requested with the dose of {{when}}', { when }),
    why: {
      asked: (read) => [
        ...read.text('asked_by', (who) =>
          who === 'user'
            ? t('The user asked for help, by the link or by SMS.')
            : t('A carer asked for help, by the link or by SMS.'),
        ),
        ...read.when('scheduled_at', (time) => t('The dose was due at {{time}}.', { time })),
      ],
    },
    endings: { withdrawn: { label: t('Withdrawn'), tone: 'unknown', shape: 'check' } },
  },
  coverage_gap: {
    label: t('Coverage gap'),
    tone: 'silent',
    shape: 'slashed',
    title: (when) =>
      when === undefined ? t('We could not see') : t('Dose of {{when}} cannot be confirmed', { when }),
    why: {
      coverage_gap_after: (read) => [
        t('From {{from}} on, for more than {{span}}, no reports were accepted or no checks ran.', {
          from: read.time('from'),
          span: read.span('coverage_gap_after_ms'),
        }),
      ],
      coverage_grace: (read) => [
        t(
          'A dose of {{pills}} was due at {{due}}. Between {{from}} and {{until}} we could not receive reports, and no backlog settled it.',
          {
            pills: read.pills('pills_scheduled'),
            due: read.time('scheduled_at'),
            from: read.time('from'),
            until: read.time('until'),
          },
        ),
      ],
    },
    whyEnded: (read) =>
      read.has('doses', () =>
        t('It ended at {{until}}. {{doses}} doses were due in it.', {
          until: read.time('until'),
          doses: read.number('doses'),
        }),
      ),
    endings: { coverage_restored: { label: t('Coverage restored'), tone: 'ok', shape: 'check' } },
  },
  missed_dose: {
    label: t('Dose not taken'),
    tone: 'late',
    shape: 'warning',
    title: (when) => (when === undefined ? t('Dose not taken') : t('Dose of {{when}} not taken', { when })),
    why: {
      late_after: lateSentences,
      closing_lost: lateSentences,
      unclear_closing: lateSentences,
      plan_not_monitored: lateSentences,
      silence_unseen: (read) => [
        ...doseSentences(read),
        ...read.when('heard_at', (time) =>
          t('The bottle was not connected at its end, and reported again at {{time}}.', { time }),
        ),
      ],
    },
    whyEnded: (read) => {
      const part = read.when('part_taken_at', (time) =>
        t('The part that was taken was removed by {{time}}.', { time }),
      );
      const whole = read.when('taken_at', (time) => t('The dose was taken later, at {{time}}.', { time }));
      return [
        ...unreportedSentence(read),
        ...read.object('unclear_closing', (closing: { at?: string; why?: string }, time) =>
          capital(`${unclearClosingText(closing, time(closing.at ?? ''))}.`),
        ),
        ...(whole.length > 0 ? whole : part),
        ...read.object('reported', statementSentence),
        ...read.object('period', ({ reason = '' }: { reason?: string }) => {
          const values = { reason: periodReasonText(reason) };
          return read.is('outcome', 'unknown')
            ? t('It was entered that another bottle of the same plan was not monitored: {{reason}}.', values)
            : t('It was entered that the bottle was not monitored at the time: {{reason}}.', values);
        }),
      ];
    },
    endings: {
      taken_late: { label: t('Taken late'), tone: 'open', shape: 'clock' },
      partial: { label: t('Partly taken'), tone: 'open', shape: 'half' },
      missed: { label: t('Missed'), tone: 'late', shape: 'cross' },
      unknown: { label: t('Cannot be known'), tone: 'unknown', shape: 'question' },
      reported_taken: { label: t('Reported taken'), tone: 'open', shape: 'check-ring' },
      reported_skipped: { label: t('Reported skipped'), tone: 'unknown', shape: 'slashed' },
    },
    chartColour: '--late-mark',
  },
  doses_missed_in_a_row: {
    label: t('Missed in a row'),
    tone: 'late',
    shape: [{ d: 'M1.6 6l3 4M4.6 6l-3 4M6.5 6l3 4M9.5 6l-3 4M11.4 6l3 4M14.4 6l-3 4', width: 1.6 }],
    title: () => t('Several doses missed in a row'),
    why: {
      missed_in_a_row: (read) => [
        t('{{doses}} doses were missed one after the other, from {{since}} to {{until}}.', {
          doses: read.number('doses_missed'),
          since: read.time('missed_since'),
          until: read.time('missed_until'),
        }),
      ],
    },
    whyEnded: (read) => [
      ...read.when('ended_with_dose', (time) => t('The row ended with the dose of {{time}}.', { time })),
      ...anotherPersonSentence(read),
    ],
    endings: {
      row_ended: { label: t('No longer missed'), tone: 'open', shape: 'check' },
      other_person: ANOTHER_PERSON,
    },
    chartColour: '--late-ink',
  },
  bottle_open: {
    label: t('Left open'),
    tone: 'open',
    shape: 'lid-off',
    title: () => t('Left open'),
    why: {
      open_after: (read) => [
        t('It was opened at {{time}} and not closed for {{span}}.', {
          time: read.time('opened_at'),
          span: read.span('open_after_ms'),
        }),
        ...read.when('last_heard_at', (time) =>
          t('It reported at {{time}}, so it was connected and would have reported a closing.', { time }),
        ),
      ],
    },
    endings: {
      lid_closed: { label: t('Lid closed'), tone: 'ok', shape: 'check' },
      opened_again: { label: t('Opened again'), tone: 'open', shape: 'clock' },
      closing_lost: { label: t('Probably closed'), tone: 'unknown', shape: 'question' },
      not_monitored: { label: t('Not monitored'), tone: 'silent', shape: 'slashed' },
      other_person: ANOTHER_PERSON,
    },
    whyEnded: (read) => [
      ...unreportedSentence(read),
      ...anotherPersonSentence(read),
      ...notMonitoredSentence(read),
    ],
    chartColour: '--open-mark',
  },
  bottle_silent: {
    label: t('Silent'),
    tone: 'silent',
    shape: 'slashed',
    title: () => t('Silent'),
    why: {
      silent_after: (read) => [
        t('No report since {{time}}, for more than {{span}}.', {
          time: read.time('last_heard_at'),
          span: read.span('silent_after_ms'),
        }),
        t('This service was accepting reports for {{span}} of that time.', {
          span: read.span('listened_ms'),
        }),
        ...read.list('unconfirmed_doses', (times) =>
          t('Doses that cannot be confirmed: {{times}}.', { times }),
        ),
      ],
      never_reported: (read) => [
        t('It has never reported since it was registered on {{time}}.', { time: read.time('registered_at') }),
        ...read.list('unconfirmed_doses', (times) =>
          t('Doses that cannot be confirmed: {{times}}.', { times }),
        ),
      ],
    },
    whyEnded: (read) => [
      ...read.when('heard_again_at', (time) => t('It reported again at {{time}}.', { time })),
      ...read.when('first_heard_at', (time) => t('It reported for the first time at {{time}}.', { time })),
      ...anotherPersonSentence(read),
      ...notMonitoredSentence(read),
    ],
    endings: {
      back_online: { label: t('Back online'), tone: 'ok', shape: 'check' },
      not_monitored: { label: t('Not monitored'), tone: 'silent', shape: 'slashed' },
      other_person: ANOTHER_PERSON,
    },
    chartColour: '--silent-mark',
  },
  extra_dose: {
    label: t('Extra dose'),
    tone: 'open',
    shape: [{ d: RING }, { d: 'M8 5v6M5 8h6' }],
    title: (when) => (when === undefined ? t('Extra dose taken') : t('Extra dose taken, {{when}}', { when })),
    why: {
      nearest_dose_whole: () => [t('No dose was due, and the nearest one was already taken.')],
      beyond_dose: () => [t('The dose was complete without that.')],
      too_early: betweenDoses,
      several_doses: (read) => [
        t('No dose was due, and pills were removed again or several at once.'),
        ...betweenDoses(read),
      ],
      over_daily_limit: () => [t('That is more than 24 hours allow.')],
      under_min_interval: () => [t('That is too soon after the last dose.')],
      taken_elsewhere: () => [t('The dose was reported taken from elsewhere before.')],
      skipped_on_advice: () => [t('The dose was reported skipped on medical advice before.')],
      schedule_paused: () => [t('The schedule was paused.')],
      not_monitored: notMonitoredSentence,
      schedule_ended: () => [t('The schedule had ended.')],
    },
    whyEnded: (read) => [
      ...read.when('pillbox_until', (time) =>
        t('They suffice for the doses until {{time}}: they may be in a pillbox.', { time }),
      ),
      ...notMonitoredSentence(read),
      ...read.when('removed_at', (time) =>
        capital(
          t('{{pills}} beyond the schedule, removed at {{time}}.', {
            pills: read.pills('extra_pills'),
            time,
          }),
        ),
      ),
    ],
    endings: { returned: { label: t('Put back'), tone: 'ok', shape: 'check' } },
    chartColour: '--accent',
  },
  low_supply: {
    label: t('Nearly empty'),
    tone: 'unknown',
    shape: [
      { d: 'M3.6 4.6h8.8v8.2a1.8 1.8 0 0 1-1.8 1.8H5.4a1.8 1.8 0 0 1-1.8-1.8Z' },
      { d: 'M4 11.4h8v1.5a1.4 1.4 0 0 1-1.4 1.4H5.4A1.4 1.4 0 0 1 4 12.9Z', as: 'filled' },
      { d: 'M4.6 2h6.8', width: 2.2 },
    ],
    title: () => t('Nearly empty'),
    why: {
      low_supply_days: (read) => [
        t('It held {{pills}}; the doses of the next {{days}} days need {{needed}}.', {
          pills: read.pills('pills'),
          days: read.number('days'),
          needed: read.number('needed'),
        }),
      ],
    },
    whyEnded: (read) => [
      ...read.has('pills_after_refill', () =>
        t('It was refilled: {{pills}}.', { pills: read.pills('pills_after_refill') }),
      ),
      ...anotherPersonSentence(read),
    ],
    endings: {
      refilled: { label: t('Refilled'), tone: 'ok', shape: 'check' },
      enough_pills: { label: t('Pills last long enough'), tone: 'ok', shape: 'check' },
      other_person: ANOTHER_PERSON,
    },
    chartColour: '--ok-mark',
  },
  count_mismatch: {
    label: t('Weight and count differ'),
    tone: 'unknown',
    shape: [{ d: RING }, { d: 'M5 6.6h6M5 9.6h6M9.8 4.4l-3.6 7.4', width: 1.4 }],
    title: () => t('Weight and count differ'),
    why: {
      count_tolerance: (read) => [
        t(
          'At {{time}} it counted {{pills}} and weighed {{mass}} g; that many pills should weigh {{expected}} g. The difference is {{difference}} pills; the tolerance is {{tolerance}}.',
          {
            time: read.time('weighed_at'),
            pills: read.pills('number_of_pills'),
            mass: read.number('measured_mass'),
            expected: read.number('expected_mass'),
            difference: read.number('difference_pills'),
            tolerance: read.number('tolerance_pills'),
          },
        ),
        t(
          'A pill weighs {{mass}} g, learned from {{bottles}} bottles. Weight and count have differed since {{since}}.',
          {
            mass: read.number('pill_mass'),
            bottles: read.number('learned_from_bottles'),
            since: read.time('differs_since'),
          },
        ),
      ],
    },
    whyEnded: anotherPersonSentence,
    endings: {
      count_agrees: { label: t('Weight and count agree'), tone: 'ok', shape: 'check' },
      other_medication: { label: t('Other medication in the bottle'), tone: 'unknown', shape: 'check-ring' },
      other_person: ANOTHER_PERSON,
    },
    chartColour: '--unknown-mark',
  },
  shared_token: {
    label: t('Two bottles, one token'),
    tone: 'unknown',
    shape: [
      { d: 'M2 5.4h5v8.2H2ZM2.8 3h3.4', width: 1.4 },
      { d: 'M9 5.4h5v8.2H9ZM9.8 3h3.4', width: 1.4 },
    ],
    title: () => t('Two bottles report with one token'),
    why: {
      two_counts: (read) => [
        t(
          'Two counts alternate: at {{time}} one went on at {{pills}}, and the report before it counted {{other}}. Replace the token, and give the new one to the right bottle.',
          {
            time: read.time('counted_at'),
            pills: read.pills('number_of_pills'),
            other: read.pills('other_number_of_pills'),
          },
        ),
      ],
    },
    whyEnded: (read) =>
      read.when('token_replaced_at', (time) => t('The token was replaced at {{time}}.', { time })),
    endings: {
      token_replaced: { label: t('Token replaced'), tone: 'ok', shape: 'check' },
      counts_no_longer_alternate: { label: t('Counts no longer alternate'), tone: 'ok', shape: 'check' },
    },
  },
  battery_low: {
    label: t('Battery low'),
    tone: 'unknown',
    shape: [
      { d: 'M2.6 4.8h9.6a1 1 0 0 1 1 1v4.4a1 1 0 0 1-1 1H2.6a1 1 0 0 1-1-1V5.8a1 1 0 0 1 1-1Z' },
      { d: 'M3.4 6.6h1.8v2.8H3.4Z', as: 'filled' },
      { d: 'M15 6.8v2.4' },
    ],
    title: () => t('Battery low'),
    why: {
      battery_low_percent: (read) => [
        t('Every battery reading since {{since}} was below {{percent}} %, for a day.', {
          since: read.time('low_since'),
          percent: read.number('low_percent'),
        }),
        ...read.each(
          'readings',
          (reading) =>
            t('{{percent}} % at {{time}}', { percent: reading.number('percent'), time: reading.time('at') }),
          (readings) => t('Readings: {{readings}}.', { readings }),
        ),
      ],
    },
    whyEnded: (read) => [
      ...read.when('recovered_at', (time) =>
        t('It was charged again: {{percent}} % at {{time}}.', {
          percent: read.number('recovered_percent'),
          time,
        }),
      ),
      ...anotherPersonSentence(read),
    ],
    endings: {
      charged: { label: t('Battery charged'), tone: 'ok', shape: 'check' },
      other_person: ANOTHER_PERSON,
    },
    chartColour: '--unknown-ink',
  },
  dose_reminder: {
    label: t('Dose reminder'),
    tone: 'unknown',
    shape: 'clock-ring',
    title: (when) =>
      when === undefined ? t('Dose reminder') : t('Reminder of the dose of {{when}}', { when }),
    why: {
      remind: (read) => [
        t(
          'A dose of {{pills}} is due at {{due}}. The user is reminded until it is taken, or late at {{late}}.',
          {
            pills: read.pills('pills_scheduled'),
            due: read.time('scheduled_at'),
            late: read.time('late_at'),
          },
        ),
      ],
    },
    endings: {
      dose_taken: { label: t('Dose taken'), tone: 'ok', shape: 'check' },
      dose_stated: { label: t('Dose reported'), tone: 'unknown', shape: 'check' },
      dose_late: { label: t('Dose late'), tone: 'late', shape: 'warning' },
      dose_not_due: { label: t('Dose not due any more'), tone: 'unknown', shape: 'slashed' },
    },
  },
} satisfies Record<string, AlertKindEntry>;

export type AlertKind = keyof typeof ALERT_KIND_TABLE;

export const ALERT_KINDS = Object.keys(ALERT_KIND_TABLE) as AlertKind[];

/** Those that something is wrong with. Reminders of doses concern their user only. */
export const ALARMING_KINDS = ALERT_KINDS.filter((kind) => kind !== 'dose_reminder');

/** The entry of a kind; for one that only a newer server knows, its name in plain letters. */
export function alertKind(kind: string): AlertKindEntry {
  const entry = (ALERT_KIND_TABLE as Record<string, AlertKindEntry>)[kind];
  const label = kind.replaceAll('_', ' ');
  return entry ?? { label, tone: 'unknown', shape: 'question', title: () => label };
}

/** Whether an alert is about the whole fleet: it stands for its bottle. */
export function isAboutFleet({ bottle_id }: { bottle_id: string }): boolean {
  return /^0+$/.test(bottle_id);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function anotherPersonSentence(read: EvidenceReader): string[] {
  return read.has('other_person', () => t('The bottle is another person’s now.'));
}

/** Why a bottle is not monitored. */
function notMonitoredSentence(read: EvidenceReader): string[] {
  return read.text('not_monitored', (reason) =>
    t('Not monitored: {{reason}}.', { reason: periodReasonText(reason) }),
  );
}

/** How far the doses before and after pills beyond the plan are. */
function betweenDoses(read: EvidenceReader): string[] {
  return [
    ...read.when('last_dose_at', (time) => t('The last dose was due at {{time}}.', { time })),
    ...read.when('next_dose_at', (time) => t('The next dose is due at {{time}}.', { time })),
  ];
}
