import { HOUR_MS, type DeadlineName } from '#domain';
import { loadConfig } from '#platform';
import { CHECKS } from '../../../apps/notifier/src/alert-kinds/index.js';
import { NotifierConfig } from '../../../apps/notifier/src/config.js';
import { cronsOf } from '../../../apps/notifier/src/schedule/crons.js';
import type { Scenario } from '../file/format.js';
import type { Deadlines } from '../../harness/due-work.js';
import { JOBS, type JobName, OUTBOX } from '../../harness/notifier.js';
import { CronTicks } from './cron-ticks.js';

const RECONCILED_BOTTLE_HOURS = 24;
/** Each run costs as much as all checks between two of them: the first tick of so much time is enough. */
const RECONCILE_EVERY_MS = 6 * HOUR_MS;

/** Jobs that run together at one tick. */
export interface PlannedJobs {
  at: Date;
  names: JobName[];
}

/** Plans each job at the first tick of the product's own schedule at which it has work. */
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
    const crons = cronsOf(config);
    this.ticks = {
      coverage: new CronTicks(crons['coverage-gaps']),
      ...(Object.fromEntries(
        [...crons.checks].map(([deadline, cron]) => [deadline, new CronTicks(cron)]),
      ) as Record<DeadlineName, CronTicks>),
      reconcile: new CronTicks(crons.reconcile),
      escalate: new CronTicks(crons.escalate),
      deliver: new CronTicks(crons.deliver),
    };
  }

  /**
   * The next tick at which jobs have work, and those jobs; undefined when none has. What a check finds is sent at the
   * same moment, by what it has queued.
   */
  next(due: Deadlines, now: Date): PlannedJobs | undefined {
    const deadlines = this.reconciles ? { ...due, reconcile: this.nextReconcile(now) } : due;
    const planned = JOBS.flatMap((name) => {
      const deadline = deadlines[name];
      return deadline ? [{ name, at: this.tickFor(name, deadline, now) }] : [];
    });
    if (planned.length === 0) return undefined;
    const at = Math.min(...planned.map((job) => job.at.getTime()));
    const names = planned.filter((job) => job.at.getTime() === at).map(({ name }) => name);
    const sends = names.some((name) => OUTBOX.includes(name));
    const outbox = OUTBOX.filter((name) => sends && this.ticks[name].from(new Date(at)).getTime() === at);
    return { at: new Date(at), names: [...new Set([...names, ...outbox])] };
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

  private nextReconcile(now: Date): Date {
    const sixth = Math.floor(now.getTime() / RECONCILE_EVERY_MS) * RECONCILE_EVERY_MS;
    const ran = this.ranAt.get('reconcile') ?? Number.NEGATIVE_INFINITY;
    const tick = this.ticks.reconcile.from(new Date(sixth));
    return ran < sixth && tick >= now
      ? tick
      : this.ticks.reconcile.from(new Date(sixth + RECONCILE_EVERY_MS));
  }

  private tickFor(name: JobName, deadline: Date, now: Date): Date {
    const since = (this.ranAt.get(name) ?? Number.NEGATIVE_INFINITY) + 1;
    return this.ticks[name].from(new Date(Math.max(deadline.getTime(), now.getTime(), since)));
  }
}
