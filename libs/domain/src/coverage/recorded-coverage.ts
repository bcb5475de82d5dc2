import { coverageGaps, coveredTime, type TimeSpan } from './coverage.js';

/** After this a check looks again at what it could not conclude, if somebody listens. Milliseconds. */
const RECHECK_MS = 1_000;

/**
 * What the recorded coverage says at a moment. A check concludes nothing from a time that is not recorded, and moves
 * no deadline beyond it by its own clock: a process whose clock is ahead would switch the check off for all others.
 */
export class RecordedCoverage {
  /** Listening is recorded until here; at most `now`. */
  readonly until: Date;
  /** Deadlines up to here can be judged: a beat may be late by one interval. At most `now`. */
  readonly dueBy: Date;

  /** @param intervalMs the interval of the beats; see `coverageInterval` */
  constructor(
    private readonly spans: readonly TimeSpan[],
    now: Date,
    private readonly intervalMs: number,
  ) {
    const lastBeat = Math.max(0, ...spans.map(({ until }) => until.getTime()));
    this.until = new Date(Math.min(now.getTime(), lastBeat + intervalMs));
    this.dueBy = new Date(Math.min(now.getTime(), lastBeat + 2 * intervalMs));
  }

  /** For how long we have listened since a moment. Milliseconds. */
  since(moment: Date): number {
    return coveredTime(this.spans, moment, this.until, this.intervalMs);
  }

  /** When we will have listened for so much longer, if we go on. Always after {@link dueBy}. */
  after(missingMs: number): Date {
    return new Date(Math.max(this.until.getTime() + missingMs, this.dueBy.getTime() + RECHECK_MS));
  }

  /**
   * For how much longer we have to listen until `due` has come and a report has arrived that a gap between `from` and
   * `due` has delayed. The time is added up from the last gap that began before `due`; later gaps only interrupt it,
   * except that one of `graceMs` or longer begins it anew. 0 when there was no such gap. Milliseconds.
   */
  missingGrace(from: Date, due: Date, graceMs: number): number {
    if (due > this.until) return due.getTime() - this.until.getTime();
    const gaps = coverageGaps(this.spans, from, this.until, this.intervalMs);
    const last = gaps.findLast((gap) => gap.from < due.getTime() || gap.until - gap.from >= graceMs);
    return last ? Math.max(0, graceMs - this.since(new Date(last.until))) : 0;
  }
}
