import type { DeadlineName } from '#domain';
import { loadConfig } from '#platform';
import { CHECKS } from '../../../apps/notifier/src/alert-kinds/index.js';
import { NotifierConfig } from '../../../apps/notifier/src/config.js';
import type { Scenario } from '../file/format.js';
import type { Deadlines } from '../../harness/due-work.js';
import { JOBS, type JobName } from '../../harness/notifier.js';
import { CronTicks } from './cron-ticks.js';

const HOUR_MS = 60 * 60_000;
const RECONCILED_BOTTLE_HOURS = 24;
/** In production it is every hour, at this minute. Each run costs as much as all checks between two of them. */
const RECONCILE_CRON = '0 17 */6 * * *';
const COVERAGE_CRON = '*/10 * * * * *';

/** Jobs that run together at one tick. */
export interface PlannedJobs {
  at: Date;
  names: JobName[];
}

/** Plans each job at its first tick at which it has work. */
export class JobPlan {
  private readonly ticks: Record<JobName, CronTicks>;
  private readonly silentAfter: number;
  private readonly ranAt = new Map<JobName, number>();

  /** Whether reconcile runs: in a long scenario with many bottles it would dominate the run. */
  private readonly reconciles: boolean;

  constructor({ settings, bottles, start, end }: Pick<Scenario, 'settings' | 'bottles' | 'start' | 'end'>) {
    this.reconciles =
      (bottles.length * (end.getTime() - start.getTime())) / HOUR_MS <= RECONCILED_BOTTLE_HOURS;
    const config = loadConfig(NotifierConfig, { MONGODB_URI: 'mongodb://unused', ...settings });
    this.silentAfter = config.SILENT_BOTTLE_AFTER;
    this.ticks = {
      coverage: new CronTicks(COVERAGE_CRON),
      ...(Object.fromEntries(
        CHECKS.map(({ deadline, cron }) => [deadline, new CronTicks(cron(config))]),
      ) as Record<DeadlineName, CronTicks>),
      reconcile: new CronTicks(RECONCILE_CRON),
      deliver: CronTicks.everySecond(),
    };
  }

  /** The next tick at which jobs have work, and those jobs; undefined when none has. */
  next(due: Deadlines, now: Date): PlannedJobs | undefined {
    const deadlines = this.reconciles ? { ...due, reconcile: now } : due;
    const planned = JOBS.flatMap((name) => {
      const deadline = deadlines[name];
      return deadline ? [{ name, at: this.tickFor(name, deadline, now) }] : [];
    });
    if (planned.length === 0) return undefined;
    const at = Math.min(...planned.map((job) => job.at.getTime()));
    return {
      at: new Date(at),
      names: planned.filter((job) => job.at.getTime() === at).map(({ name }) => name),
    };
  }

  /**
   * Until when heartbeats, except awaited ones, give no job unplanned work: a heartbeat only postpones its bottle's
   * deadline, to a whole silence later.
   */
  calmUntil(next: PlannedJobs | undefined, now: Date): Date {
    const silence = now.getTime() + this.silentAfter;
    return new Date(Math.min(next?.at.getTime() ?? Infinity, silence));
  }

  /** The next tick of any check: reports from `moment` until then may be sent together. */
  nextCheck(moment: Date): Date {
    const ticks = CHECKS.map(({ deadline }) => this.ticks[deadline].from(moment).getTime());
    return new Date(Math.min(...ticks));
  }

  ran({ at, names }: PlannedJobs): void {
    for (const name of names) this.ranAt.set(name, at.getTime());
  }

  private tickFor(name: JobName, deadline: Date, now: Date): Date {
    const since = (this.ranAt.get(name) ?? Number.NEGATIVE_INFINITY) + 1;
    return this.ticks[name].from(new Date(Math.max(deadline.getTime(), now.getTime(), since)));
  }
}
