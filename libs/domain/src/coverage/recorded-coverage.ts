import { type CoverageGap, coverageGaps, doubtfulTimes, type ProcessSpan } from './coverage.js';

/** After this a check looks again at what it could not conclude, if reports are accepted. Milliseconds. */
const RECHECK_MS = 1_000;
/** The last gap has no end. */
const FOREVER = new Date(8.64e15);

/**
 * What the recorded coverage shows at a moment. Covered is when a device-api accepted reports and none was in doubt: we
 * do not know which bottles report to the one that may be frozen. A check concludes nothing from a time that is not
 * recorded, and moves no deadline beyond it by its own clock: a process whose clock is ahead would switch the check off
 * for all others.
 */
export class RecordedCoverage {
  /** Listening is recorded until here; at most `now`. */
  readonly until: Date;
  /** Deadlines up to here can be judged: a beat may be late by one interval. At most `now`. */
  readonly dueBy: Date;
  private readonly gaps: CoverageGap[];

  /**
   * @param spans all that reach beyond `since`, and those that ended up to `MAY_HOLD_MS` before it; the time before
   *   `since` counts as listened
   * @param intervalMs the interval of the beats; see `coverageInterval`
   */
  constructor(spans: readonly ProcessSpan[], { since, now }: { since: Date; now: Date }, intervalMs: number) {
    const lastBeat = Math.max(0, ...spans.map(({ until }) => until.getTime()));
    const gaps = joined(
      [...coverageGaps(spans, since, FOREVER, intervalMs), ...doubtfulTimes(spans, intervalMs)],
      since.getTime(),
    );
    this.gaps = gaps.filter((gap) => gap.until <= now.getTime());
    const lasts = gaps[this.gaps.length]!;
    const until = Math.min(now.getTime(), lastBeat + intervalMs, lasts.from);
    this.until = new Date(until);
    this.dueBy = new Date(Math.min(now.getTime(), until + intervalMs));
  }

  /** Coverage without a gap until now. */
  static unbroken(now: Date): RecordedCoverage {
    return new RecordedCoverage([{ from: now, until: now }], { since: now, now }, 0);
  }

  /** For how long reports were accepted between two moments, as far as gaps are recorded. Milliseconds. */
  listened(from: Date, to: Date): number {
    const span = Math.max(0, to.getTime() - from.getTime());
    return this.gaps.reduce((sum, gap) => sum - overlap(gap, from, to), span);
  }

  /** For how long we have listened since a moment, as far as it is recorded. Milliseconds. */
  since(moment: Date): number {
    return this.listened(moment, this.until);
  }

  /** Whether there is a gap between two moments, also one that lasts. */
  hasGap(from: Date, to: Date): boolean {
    return to > this.until || this.gaps.some((gap) => overlap(gap, from, to) > 0);
  }

  /** The gaps longer than `longerThanMs` that touch a time, both ends included, in order. */
  longGaps(from: Date, to: Date, longerThanMs: number): { from: Date; until: Date }[] {
    return this.gaps
      .filter((gap) => gap.from <= to.getTime() && gap.until >= from.getTime())
      .filter((gap) => gap.until - gap.from > longerThanMs)
      .map((gap) => ({ from: new Date(gap.from), until: new Date(gap.until) }));
  }

  /** The moment since which we had listened for so long at `moment`. */
  coveredFrom(moment: Date, coveredMs: number): Date {
    let from = moment.getTime() - coveredMs;
    for (const gap of this.gaps.toReversed()) {
      if (gap.from < moment.getTime() && gap.until > from)
        from -= Math.min(gap.until, moment.getTime()) - gap.from;
    }
    return new Date(from);
  }

  /** When we will have listened for so much longer, if we go on. Always after {@link dueBy}. */
  after(missingMs: number): Date {
    return new Date(Math.max(this.until.getTime() + missingMs, this.dueBy.getTime() + RECHECK_MS));
  }

  /**
   * For how much longer we have to listen until `due` has come and a report has arrived that a gap between `from` and
   * `due` has delayed. The time is added up from the last gap that began before `due`; later gaps only interrupt it,
   * except that one of `graceMs` or longer begins it again. 0 when there was no such gap. Milliseconds.
   */
  missingGrace(from: Date, due: Date, graceMs: number): number {
    if (due > this.until) return due.getTime() - this.until.getTime();
    const last = this.gaps.findLast(
      (gap) => gap.until > from.getTime() && (gap.from < due.getTime() || gap.until - gap.from >= graceMs),
    );
    return last ? Math.max(0, graceMs - this.since(new Date(last.until))) : 0;
  }
}

function overlap(gap: CoverageGap, from: Date, to: Date): number {
  return Math.max(0, Math.min(gap.until, to.getTime()) - Math.max(gap.from, from.getTime()));
}

/** Gaps as far as they are after a moment, in order; those that touch are one. */
function joined(gaps: readonly CoverageGap[], since: number): CoverageGap[] {
  const parts: CoverageGap[] = [];
  for (const { from, until } of gaps.toSorted((one, other) => one.from - other.from)) {
    const last = parts.at(-1);
    if (until <= since) continue;
    if (last && from <= last.until) last.until = Math.max(last.until, until);
    else parts.push({ from: Math.max(from, since), until });
  }
  return parts;
}
