import type { Meaning } from '../ui/Mark.js';
import { RING } from '../ui/shapes.js';
import type { EvidenceReader } from './evidence-reader.js';

/** Everything that the console knows of one kind of alert. */
export interface AlertKindEntry extends Meaning {
  /** @param when the time that the alert's subject names, if it names one */
  title: (when: string | undefined) => string;
  /** What the rule saw, by the rule that the evidence names. */
  why?: Record<string, (read: EvidenceReader) => string[]>;
  /** What was added to the evidence later. */
  whyEnded?: (read: EvidenceReader) => string[];
  /** Colour of its line in the chart of alerts by kind; kinds without one have no line. */
  chartColour?: string;
  /** True when it is about all bottles and not about one. */
  aboutFleet?: true;
}

/** The kinds of alerts, in the order in which the console lists them. */
export const ALERT_KIND_TABLE = {
  fleet_incident: {
    label: 'Fleet incident',
    tone: 'silent',
    shape: [
      { d: 'M11 4a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z', as: 'filled' },
      { d: 'M6.8 11.6a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z', as: 'filled' },
      { d: 'M15.2 11.6a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z', as: 'filled' },
    ],
    title: () => 'Many bottles silent at once',
    why: {
      fleet_incident_percent: (read) => [
        `${read.number('silent_bottles')} of ${read.number('heard_bottles')} bottles became silent in one run; more than ${read.number('percent')} % is a fleet incident.`,
      ],
    },
    whyEnded: (read) =>
      read.has(
        'still_silent',
        () => `${read.number('still_silent')} bottles were still silent when it ended.`,
      ),
    aboutFleet: true,
  },
  missed_dose: {
    label: 'Dose not taken',
    tone: 'late',
    shape: 'warning',
    title: (when) => (when === undefined ? 'Dose not taken' : `Dose of ${when} not taken`),
    why: {
      late_after: (read) => [
        `A dose of ${read.pills('pills_scheduled')} was due at ${read.time('scheduled_at')}. It is late from ${read.time('late_at')} and missed from ${read.time('missed_at')}.`,
        `${capital(read.pills('pills_taken'))} had been removed.`,
        ...read.when(
          'heard_at',
          (time) => `The bottle reported after that, at ${time}, so it was connected.`,
        ),
      ],
    },
    whyEnded: (read) => [
      ...read.when('taken_at', (time) => `The dose was taken later, at ${time}.`),
      ...read.when('part_taken_at', (time) => `The part that was taken was removed by ${time}.`),
    ],
    chartColour: '--late-mark',
  },
  bottle_open: {
    label: 'Left open',
    tone: 'open',
    shape: 'lid-off',
    title: () => 'Left open',
    why: {
      open_after: (read) => [
        `It was opened at ${read.time('opened_at')} and not closed for ${read.span('open_after_ms')}.`,
        ...read.when(
          'last_heard_at',
          (time) => `It reported at ${time}, so it was connected and would have reported a closing.`,
        ),
      ],
    },
    chartColour: '--open-mark',
  },
  bottle_silent: {
    label: 'Silent',
    tone: 'silent',
    shape: 'slashed',
    title: () => 'Silent',
    why: {
      silent_after: (read) => [
        `No report since ${read.time('last_heard_at')}, for more than ${read.span('silent_after_ms')}.`,
        `This service was accepting reports for ${read.span('listened_ms')} of that time.`,
        ...read.list('unconfirmed_doses', (times) => `Doses that cannot be confirmed: ${times}.`),
      ],
    },
    whyEnded: (read) => read.when('heard_again_at', (time) => `It reported again at ${time}.`),
    chartColour: '--silent-mark',
  },
  extra_dose: {
    label: 'Extra dose',
    tone: 'open',
    shape: [{ d: RING }, { d: 'M8 5v6M5 8h6' }],
    title: (when) => (when === undefined ? 'Extra dose taken' : `Extra dose taken, ${when}`),
    why: {
      nearest_dose_whole: () => ['No dose was due, and the nearest one was already taken.'],
      several_doses: () => ['No dose was due, and more than one dose was removed at once.'],
      schedule_paused: () => ['The schedule was paused.'],
      schedule_ended: () => ['The schedule has no dose any more.'],
    },
    whyEnded: (read) =>
      read.when(
        'removed_at',
        (time) => `${capital(read.pills('extra_pills'))} beyond the schedule, removed at ${time}.`,
      ),
    chartColour: '--accent',
  },
  low_supply: {
    label: 'Nearly empty',
    tone: 'unknown',
    shape: [
      { d: 'M3.6 4.6h8.8v8.2a1.8 1.8 0 0 1-1.8 1.8H5.4a1.8 1.8 0 0 1-1.8-1.8Z' },
      { d: 'M4 11.4h8v1.5a1.4 1.4 0 0 1-1.4 1.4H5.4A1.4 1.4 0 0 1 4 12.9Z', as: 'filled' },
      { d: 'M4.6 2h6.8', width: 2.2 },
    ],
    title: () => 'Nearly empty',
    why: {
      low_supply_days: (read) => [
        `It held ${read.pills('pills')}; the doses of the next ${read.number('days')} days need ${read.number('needed')}.`,
      ],
    },
    whyEnded: (read) =>
      read.has('pills_after_refill', () => `It was refilled: ${read.pills('pills_after_refill')}.`),
    chartColour: '--ok-mark',
  },
  count_mismatch: {
    label: 'Weight and count differ',
    tone: 'unknown',
    shape: [{ d: RING }, { d: 'M5 6.6h6M5 9.6h6M9.8 4.4l-3.6 7.4', width: 1.4 }],
    title: () => 'Weight and count differ',
    why: {
      count_tolerance: (read) => [
        `At ${read.time('weighed_at')} it counted ${read.pills('number_of_pills')} and weighed ${read.number('measured_mass')} g; that many pills should weigh ${read.number('expected_mass')} g. The difference is ${read.number('difference_pills')} pills; the tolerance is ${read.number('tolerance_pills')}.`,
        `A pill weighs ${read.number('pill_mass')} g, learned from ${read.number('learned_from_bottles')} bottles. Weight and count have differed since ${read.time('differs_since')}.`,
      ],
    },
    chartColour: '--unknown-mark',
  },
  battery_low: {
    label: 'Battery low',
    tone: 'unknown',
    shape: [
      { d: 'M2.6 4.8h9.6a1 1 0 0 1 1 1v4.4a1 1 0 0 1-1 1H2.6a1 1 0 0 1-1-1V5.8a1 1 0 0 1 1-1Z' },
      { d: 'M3.4 6.6h1.8v2.8H3.4Z', as: 'filled' },
      { d: 'M15 6.8v2.4' },
    ],
    title: () => 'Battery low',
    why: {
      battery_low_percent: (read) => [
        `Every battery reading since ${read.time('low_since')} was below ${read.number('low_percent')} %, for a day.`,
        ...read.each(
          'readings',
          (reading) => `${reading.number('percent')} % at ${reading.time('at')}`,
          (readings) => `Readings: ${readings}.`,
        ),
      ],
    },
    whyEnded: (read) =>
      read.when(
        'recovered_at',
        (time) => `It was charged again: ${read.number('recovered_percent')} % at ${time}.`,
      ),
    chartColour: '--unknown-ink',
  },
} satisfies Record<string, AlertKindEntry>;

export type AlertKind = keyof typeof ALERT_KIND_TABLE;

export const ALERT_KINDS = Object.keys(ALERT_KIND_TABLE) as AlertKind[];

/** The entry of a kind; for one that only a newer server knows, its name in plain letters. */
export function alertKind(kind: string): AlertKindEntry {
  const entry = (ALERT_KIND_TABLE as Record<string, AlertKindEntry>)[kind];
  const label = kind.replaceAll('_', ' ');
  return entry ?? { label, tone: 'unknown', shape: 'question', title: () => label };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
