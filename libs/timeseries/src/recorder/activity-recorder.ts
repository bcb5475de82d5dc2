import { Clock } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Buckets } from '../counting/buckets.js';
import { countRefused } from '../counting/live.js';
import { countAll, type CountedReport } from '../counting/report.js';
import { reportsUnit } from '../counting/reports.js';
import { Tally } from '../counting/tally.js';
import { saysAnything } from '../counting/vitals.js';
import { DirtyBuckets } from '../rollup/marks.js';
import { floor, HOUR, SECOND, startOf } from '../time/units.js';
import { RecentSamples } from './recent-samples.js';
import { type Loss, WriterJournal } from './writer-journal.js';

/** Counts are written this often. Milliseconds. */
const FLUSH_EVERY = SECOND;
/** How far counting has come is noted this often. Milliseconds. */
const NOTE_EVERY = 10 * SECOND;
/** Events of the last hours need no announcement: every reconcile compares these hours with the log. */
export const ALWAYS_COMPARED = 2 * HOUR;

/** A group that was expected has been written and counted, or is lost, within this time. Milliseconds. */
const IN_FLIGHT = 60 * SECOND;

/** What was received within one second: a fence lets through all of it or nothing. */
interface Cohort {
  tally: Tally;
  /** Hours in which reports were counted. */
  hours: Map<number, Date>;
}

/**
 * Counts reports in memory and writes the counts once a second, off the way to the answer: a group, or a second of
 * groups, costs one update a document, and several processes add up. What a crash leaves uncounted is found by
 * comparing with the log; the journal says where to look.
 */
@Injectable()
export class ActivityRecorder implements OnApplicationBootstrap {
  private readonly logger = new Logger(ActivityRecorder.name);
  private readonly recent = new RecentSamples();
  /** When each hour was announced or expected last. Milliseconds. */
  private readonly announced = new Map<number, number>();
  /** What was lost while not even that could be noted: one span, however long that lasted. */
  private unsaid: Loss | undefined;
  private cohorts = new Map<number, Cohort>();
  private listened = Number.NEGATIVE_INFINITY;
  private noted = Number.NEGATIVE_INFINITY;
  private writing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly buckets: Buckets,
    private readonly marks: DirtyBuckets,
    private readonly journal: WriterJournal,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY).unref();
    void this.flush();
  }

  /**
   * The orderly end: to be awaited when the last report has been recorded, and before the connection is closed.
   * It is no shutdown hook, because those of a module run at once.
   */
  async finish(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    if (!this.unsaid) await this.journal.end().catch(() => undefined);
  }

  /** To be awaited before the log is written. Costs nothing unless events are hours old. */
  async expect(reports: readonly CountedReport[], receivedAt: Date): Promise<void> {
    const hours = oldHours(reports, receivedAt);
    const unknown = hours.filter((hour) => !this.announced.has(hour.getTime()));
    for (const hour of hours) this.announced.set(hour.getTime(), receivedAt.getTime());
    if (unknown.length > 0) await this.journal.announce(unknown, receivedAt);
  }

  /** These reports are new in the log, all received at one moment. */
  record(reports: readonly CountedReport[], receivedAt: Date): void {
    const { tally, hours } = this.cohortOf(receivedAt);
    countAll(tally, reports, receivedAt);
    for (const report of reports) {
      if (report.kind === 'heartbeat' && saysAnything(report.document))
        this.recent.count(tally, report.document, receivedAt);
      const hour = startOf('hour', report.document.time);
      hours.set(hour.getTime(), hour);
    }
  }

  /** Reports were refused. */
  refuse(code: string, receivedAt: Date, count = 1): void {
    countRefused(this.cohortOf(receivedAt).tally, code, receivedAt, count);
  }

  /** Nobody knows whether these reports are in the log. */
  async lose(reports: readonly CountedReport[], receivedAt: Date): Promise<void> {
    await this.noteLoss(receivedAt, oldHours(reports, receivedAt));
  }

  /** Writes what has been counted; a run that is under way is waited for. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const now = this.clock.now();
    this.listen(now);
    const cohorts = [...this.cohorts].sort(([one], [other]) => one - other);
    this.cohorts = new Map();
    for (const [second, cohort] of cohorts) await this.writeCohort(new Date(second), cohort);
    if (Math.abs(now.getTime() - this.noted) >= NOTE_EVERY) await this.note(now);
  }

  private async writeCohort(second: Date, { tally, hours }: Cohort): Promise<void> {
    try {
      await this.buckets.add(tally, new Date(second.getTime() + SECOND));
      await this.marks.add('reports', [...hours.values()], this.clock.now());
    } catch (error) {
      this.logger.warn(`counts lost until the next reconcile: ${String(error)}`);
      await this.noteLoss(second, [...hours.values()]);
    }
  }

  private async noteLoss(second: Date, hours: Date[]): Promise<void> {
    const from = floor(second, SECOND);
    const loss = { from, to: new Date(from.getTime() + SECOND), hours };
    await this.journal.lose(loss).catch(() => this.keep(loss));
  }

  private keep(loss: Loss): void {
    const { from, to, hours } = this.unsaid ?? loss;
    const all = new Map([...hours, ...loss.hours].map((hour) => [hour.getTime(), hour]));
    this.unsaid = {
      from: from < loss.from ? from : loss.from,
      to: to > loss.to ? to : loss.to,
      hours: [...all.values()],
    };
  }

  /** Everything received before `now` and counted has been written. */
  private async note(now: Date): Promise<void> {
    for (const [hour, at] of this.announced) {
      if (now.getTime() - at > IN_FLIGHT) this.announced.delete(hour);
    }
    const hours = [...this.announced.keys()].map((hour) => new Date(hour));
    try {
      const { unsaid } = this;
      if (unsaid) await this.journal.lose(unsaid);
      if (this.unsaid === unsaid) this.unsaid = undefined;
      await this.journal.reached(floor(now, SECOND), hours);
      this.noted = now.getTime();
    } catch {
      // the next flush tries again
    }
  }

  /** A minute in which a process was there to count is no gap in the chart, even if nothing came. */
  private listen(now: Date): void {
    const minute = startOf('minute', now);
    if (minute.getTime() === this.listened) return;
    this.listened = minute.getTime();
    const { unit, field } = reportsUnit(minute, now);
    const { tally, hours } = this.cohortOf(now);
    tally.add(unit, `listening.${field}`, 1);
    const hour = startOf('hour', minute);
    hours.set(hour.getTime(), hour);
  }

  private cohortOf(receivedAt: Date): Cohort {
    const second = floor(receivedAt, SECOND).getTime();
    const cohort = this.cohorts.get(second) ?? { tally: new Tally(), hours: new Map<number, Date>() };
    this.cohorts.set(second, cohort);
    return cohort;
  }
}

/** The hours of events that are older than what every reconcile looks at. */
function oldHours(reports: readonly CountedReport[], receivedAt: Date): Date[] {
  const since = receivedAt.getTime() - ALWAYS_COMPARED;
  const hours = new Map<number, Date>();
  for (const { document } of reports) {
    if (document.time.getTime() >= since) continue;
    const hour = startOf('hour', document.time);
    hours.set(hour.getTime(), hour);
  }
  return [...hours.values()];
}
