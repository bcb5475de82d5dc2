import type { DoseOutcome } from '../doses/index.js';

/** One judged slot, as stored. */
export interface DoseRecord {
  scheduled_at: Date;
  outcome: DoseOutcome;
  /** When the dose was whole; needed for the taken outcomes. */
  taken_at?: Date;
}

/** Pills taken beyond the schedule; only the day counts. */
export interface ExtraRecord {
  time: Date;
}

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

/** A share with what it was made of. */
export interface Ratio {
  numerator: number;
  denominator: number;
  /** From 0 to 1; null when the denominator is 0. */
  ratio: number | null;
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
}

/** A time without any dose though doses were prescribed. */
export interface DrugHoliday {
  /** The last dose before it, or the beginning of the range. */
  from: Date;
  /** The next dose, or the end of the range. */
  to: Date;
  hours: number;
  /** Prescribed doses in it, none taken. */
  missed_doses: number;
}

export interface DrugHolidays {
  count: number;
  /** Hours of all of them together. */
  hours: number;
  periods: DrugHoliday[];
  /** Periods that would count, but hold a dose of unknown outcome. */
  possible: number;
}
