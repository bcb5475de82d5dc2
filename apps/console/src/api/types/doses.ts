import type { Instant } from './common.js';

export const OUTCOMES = [
  'taken_on_time',
  'taken_early',
  'taken_late',
  'partial',
  'missed',
  'unknown',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Dose {
  scheduled_at: Instant;
  outcome: Outcome;
  taken_at: Instant | null;
  pills_scheduled: number;
  pills_taken: number;
  judged_at: Instant;
}

export interface Ratio {
  numerator: number;
  denominator: number;
  ratio: number | null;
}

export interface Adherence {
  from: Instant;
  to: Instant;
  time_zone: string;
  taking: Ratio;
  correct_dosing: Ratio;
  timing: Ratio;
  days_covered: Ratio;
  drug_holidays: {
    count: number;
    hours: number;
    periods: { from: Instant; to: Instant; hours: number; missed_doses: number }[];
    possible: number;
  };
  doses: Record<Outcome, number>;
  extra: number;
  unknown: { doses: number; days: number };
}
