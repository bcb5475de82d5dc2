import { DAY_MS } from '../time/durations.js';

/**
 * What became of a report with a problem: it was refused; the field was left out of it; or it was kept as it is, though
 * it can hardly be so.
 */
export const PROBLEM_EFFECTS = ['refused', 'ignored', 'kept'] as const;
export type ProblemEffect = (typeof PROBLEM_EFFECTS)[number];

/** A problem of a bottle's reports. One of each effect, field and reason is kept. */
export interface ReportProblem {
  effect: ProblemEffect;
  /** Its name as the bottle sent it, up to 100 characters; empty if it was no single field. */
  field: string;
  /** A code, as in the answer. */
  reason: string;
  /** The JSON type of the value, or `missing`. The value itself may say something of a patient. */
  value_kind: string;
  /** Receipt times. */
  first_at: Date;
  last_at: Date;
  /** How many reports had it. A process that is killed loses what it counted in the last minute. */
  count: number;
}

/** Of a bottle: those noted last. */
export const MOST_REPORT_PROBLEMS = 30;
/** A problem that was not noted for so long is over; if it comes again, it begins again. Milliseconds. */
const OVER_AFTER_MS = 7 * DAY_MS;

/** Problems that were noted last before this time are over. */
export function problemsOverBefore(now: Date): Date {
  return new Date(now.getTime() - OVER_AFTER_MS);
}

/** The first moment at which a problem is over that was noted last at this time. */
export function problemOverAt(lastAt: Date): Date {
  return new Date(lastAt.getTime() + OVER_AFTER_MS + 1);
}

/** The problems that are not over, the one noted last first. */
export function currentProblems(problems: readonly ReportProblem[], now: Date): ReportProblem[] {
  const since = problemsOverBefore(now);
  return problems
    .filter(({ last_at }) => last_at >= since)
    .toSorted((one, other) => other.last_at.getTime() - one.last_at.getTime());
}
