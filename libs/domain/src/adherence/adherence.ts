import { Temporal } from 'temporal-polyfill';
import type { Attestation, ReportedOutcome } from '../attestations/index.js';
import { DOSE_OUTCOMES, type DoseOutcome, isTaken } from '../doses/index.js';
import { type Ratio, ratio } from './ratio.js';
import { drugHolidays, type DoseRecord, type DrugHolidays, type ExtraRecord } from './drug-holidays.js';

export interface AdherenceInput {
  /** Judged slots in any order; a slot given twice counts once. Slots that are not judged yet are left out. */
  outcomes: readonly DoseRecord[];
  extra?: readonly ExtraRecord[];
  /** The range of `scheduled_at`: `from` included, `to` not. */
  from: Date;
  to: Date;
  /** IANA name in which days are counted. */
  zone: string;
}

/** See docs/adherence.md for the formulas and their sources. */
export interface Adherence {
  /** Whole doses taken of doses prescribed. */
  taking: Ratio;
  /** Days with exactly the prescribed doses of days with prescribed doses. */
  correct_dosing: Ratio;
  /** Doses taken on time of doses prescribed. */
  timing: Ratio;
  /** Days on which every prescribed dose was taken, extra pills or not. */
  days_covered: Ratio;
  drug_holidays: DrugHolidays;
  /** Doses by outcome; together they are all doses prescribed in the range. */
  doses: Record<DoseOutcome, number>;
  /** Extra removals in the range. */
  extra: number;
  /** Left out of the denominators above. */
  unknown: { doses: number; days: number };
  /** Due in a period without monitoring: left out like them. A day is in one of the two, in `unknown` if it has both. */
  not_monitored: { doses: number; days: number };
}

/** What counts for a dose in the figures with people's word. */
export type WordedOutcome = DoseOutcome | ReportedOutcome;

/** The same figures with people's word: for a dose that somebody attests, it counts in place of the measured outcome. */
export interface WordedAdherence extends Omit<Adherence, 'doses' | 'extra'> {
  doses: Record<WordedOutcome, number>;
  /** Skipped on medical advice: not prescribed any more, so in no figure and not in `doses`. */
  excused: number;
  /** The share that rests on people's word: doses that somebody attests, of known doses. */
  attested: Ratio;
}

/** The latest statement that stands about a judged slot. */
export type AttestedDose = Pick<Attestation, 'scheduled_at' | 'outcome' | 'taken_at' | 'reason'>;

interface Day {
  outcomes: DoseOutcome[];
  extra: boolean;
}

/** Those of the figures that are also of several bottles together. */
export type CommonFigures = Pick<Adherence, 'days_covered' | 'drug_holidays'>;

/**
 * The adherence figures of a range, by our own formulas (docs/adherence.md). A dose whose outcome is `unknown` or
 * `not_monitored` is in no denominator, nor is a day with such a dose; they are shown apart.
 *
 * A pure function of the sets of outcomes and extra removals: their order changes nothing.
 */
export function adherence(input: AdherenceInput): Adherence {
  const { records, extra } = dosesIn(input);
  const doses = countByOutcome(records);
  const known = records.length - doses.unknown - doses.not_monitored;
  const days = daysOf([input]);
  const unknownDays = days.filter((day) => day.outcomes.includes('unknown'));
  const knownDays = days.filter((day) => day.outcomes.every(isKnown));
  const correct = knownDays.filter((day) => !day.extra && day.outcomes.every(isTaken));
  return {
    taking: ratio(doses.taken_early + doses.taken_on_time + doses.taken_late, known),
    correct_dosing: ratio(correct.length, knownDays.length),
    timing: ratio(doses.taken_on_time, known),
    ...figuresOf(days, [input]),
    doses,
    extra: extra.length,
    unknown: { doses: doses.unknown, days: unknownDays.length },
    not_monitored: {
      doses: doses.not_monitored,
      days: days.length - knownDays.length - unknownDays.length,
    },
  };
}

/**
 * The figures of the doses of several bottles together: a day is covered if every dose of all of them was taken, and
 * without a dose is a time in which none of any was taken.
 *
 * @param inputs one a bottle, at least one; each bottle's days are those of its zone
 */
export function commonFigures(inputs: readonly AdherenceInput[]): CommonFigures {
  return figuresOf(daysOf(inputs), inputs);
}

function figuresOf(days: readonly Day[], inputs: readonly AdherenceInput[]): CommonFigures {
  const known = days.filter((day) => day.outcomes.every(isKnown));
  const doses = inputs.map(dosesIn);
  return {
    days_covered: ratio(known.filter((day) => day.outcomes.every(isTaken)).length, known.length),
    drug_holidays: drugHolidays({
      records: doses.flatMap(({ records }) => records).sort(bySlot),
      extra: doses.flatMap(({ extra }) => extra),
      from: new Date(Math.min(...inputs.map(({ from }) => from.getTime()))),
      to: new Date(Math.max(...inputs.map(({ to }) => to.getTime()))),
    }),
  };
}

/**
 * The figures with people's word. A dose that somebody attests counts as they say: `taken` without a time as taken but
 * not on time, `skipped` and `not_taken` as missed. Statements about slots that are not judged yet are left out.
 *
 * @param attested at most one statement a slot
 */
export function wordedAdherence(input: AdherenceInput, attested: readonly AttestedDose[]): WordedAdherence {
  const all = dosesIn(input).records;
  const worded = withStatements(input, attested);
  const { extra: _extra, ...figures } = adherence(worded);
  const prescribed = new Set(worded.outcomes.map(({ scheduled_at }) => scheduled_at.getTime()));
  const stated = attested.filter(({ scheduled_at }) => prescribed.has(scheduled_at.getTime()));
  const doses = { ...figures.doses, taken: 0, skipped: 0, not_taken: 0 };
  for (const { outcome } of stated)
    if (outcome in COUNTS_AS) {
      doses[COUNTS_AS[outcome as keyof typeof COUNTS_AS]] -= 1;
      doses[outcome] += 1;
    }
  return {
    ...figures,
    doses,
    excused: all.length - prescribed.size,
    attested: ratio(stated.length, prescribed.size - doses.unknown - doses.not_monitored),
  };
}

/** The doses with people's word: what is skipped on medical advice is not prescribed any more. */
export function withStatements(input: AdherenceInput, attested: readonly AttestedDose[]): AdherenceInput {
  const statements = new Map(attested.map((statement) => [statement.scheduled_at.getTime(), statement]));
  const outcomes = dosesIn(input).records.flatMap((record) => {
    const statement = statements.get(record.scheduled_at.getTime());
    return statement?.reason === 'doctors_advice' ? [] : [asAttested(record, statement)];
  });
  return { ...input, outcomes };
}

/** Whether an outcome says what became of the dose. */
export const isKnown = (outcome: DoseOutcome): boolean =>
  outcome !== 'unknown' && outcome !== 'not_monitored';

/** What the outcomes that only people report count as. */
const COUNTS_AS = { taken: 'taken_late', skipped: 'missed', not_taken: 'missed' } as const;

function asAttested(record: DoseRecord, statement: AttestedDose | undefined): DoseRecord {
  if (!statement) return record;
  const { scheduled_at, outcome, taken_at } = statement;
  return { scheduled_at, outcome: countedAs(outcome), ...(taken_at && { taken_at }) };
}

/** What people say of a dose, as an outcome that the formulas know. */
export function countedAs(outcome: ReportedOutcome): DoseOutcome {
  return outcome in COUNTS_AS ? COUNTS_AS[outcome as keyof typeof COUNTS_AS] : (outcome as DoseOutcome);
}

/** The slots of the range, each once and in order, and the extra removals. */
function dosesIn({ outcomes, extra = [], from, to }: AdherenceInput): {
  records: DoseRecord[];
  extra: ExtraRecord[];
} {
  const within = (time: Date): boolean => from <= time && time < to;
  const bySlots = new Map(outcomes.map((record) => [record.scheduled_at.getTime(), record]));
  return {
    records: [...bySlots.values()].filter(({ scheduled_at }) => within(scheduled_at)).sort(bySlot),
    extra: extra.filter(({ time }) => within(time)),
  };
}

const bySlot = (one: DoseRecord, other: DoseRecord): number =>
  one.scheduled_at.getTime() - other.scheduled_at.getTime();

function countByOutcome(records: readonly DoseRecord[]): Record<DoseOutcome, number> {
  const counts = Object.fromEntries(DOSE_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    DoseOutcome,
    number
  >;
  for (const { outcome } of records) counts[outcome] += 1;
  return counts;
}

/** The days with a prescribed dose. */
function daysOf(inputs: readonly AdherenceInput[]): Day[] {
  const days = new Map<string, Day>();
  for (const input of inputs) {
    const { records, extra } = dosesIn(input);
    const dayOf = (time: Date): Day => {
      const instant = Temporal.Instant.fromEpochMilliseconds(time.getTime());
      const date = instant.toZonedDateTimeISO(input.zone).toPlainDate().toString();
      const day = days.get(date) ?? { outcomes: [], extra: false };
      days.set(date, day);
      return day;
    };
    for (const { scheduled_at, outcome } of records) dayOf(scheduled_at).outcomes.push(outcome);
    for (const { time } of extra) dayOf(time).extra = true;
  }
  return [...days.values()].filter((day) => day.outcomes.length > 0);
}
