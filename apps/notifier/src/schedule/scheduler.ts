import { Clock, HealthReports } from '#platform';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { setTimeout as sleep } from 'node:timers/promises';
import { Job, type Work, WATCH_MS } from './job.js';
import { JobMetrics, type Scheduled } from './job-metrics.js';
import { SweepWakeUp } from './sweep-wake-up.js';
import { Ticks } from './ticks.js';

/** How often it is asked which ticks have come. Milliseconds. */
const TICK_MS = 500;
/** A run that has not finished a page for so long is abandoned: two leases. Milliseconds. */
const IDLE_LIMIT_MS = 60_000;
/** A job without progress for so many intervals is at a standstill, but not before it could have been abandoned as often. */
const STANDSTILL_INTERVALS = 3;
/** How long a shutdown waits for the runs in progress. Milliseconds. */
const SHUTDOWN_MS = 20_000;

/** What runs at its ticks, and at deadlines in between. */
export interface Sweep {
  run(stopping: () => boolean): Promise<unknown>;
  /** The earliest deadline after a moment. */
  nextDeadline(after: Date): Promise<Date | undefined>;
}

/**
 * Runs jobs by the injected clock. A job that is still running skips its next tick, and a shutdown waits for it. One
 * that does not get on is abandoned, counted and begun again.
 */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly scheduled: Scheduled[] = [];
  private readonly wakeUps: SweepWakeUp[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly metrics: JobMetrics,
    private readonly health: HealthReports,
  ) {}

  /** @param idleLimitMs a run that has not finished a page for so long is abandoned. Milliseconds */
  add(name: string, cron: string, work: Work, idleLimitMs = IDLE_LIMIT_MS): Scheduled {
    const job = new Job(name, work, idleLimitMs, this.metrics.eventsOf(name, idleLimitMs), this.clock);
    const scheduled = { job, ticks: new Ticks(cron, this.clock) };
    this.scheduled.push(scheduled);
    this.metrics.add(scheduled);
    return scheduled;
  }

  /** Begins no further runs of a job. */
  remove(scheduled: Scheduled): void {
    this.scheduled.splice(this.scheduled.indexOf(scheduled), 1);
    this.metrics.remove(scheduled);
  }

  /** Adds a job that runs at deadlines between its ticks, too, and at start, for what became due while nobody ran it. */
  addSweep(name: string, cron: string, sweep: Sweep): Scheduled {
    const work: Work = async (stopping) => {
      const began = this.clock.now();
      await sweep.run(stopping);
      await wakeUp.schedule(began, () => scheduled.ticks.next());
    };
    const wakeUp = new SweepWakeUp(
      (after) => sweep.nextDeadline(after),
      () => scheduled.job.start(),
      this.clock,
    );
    this.wakeUps.push(wakeUp);
    const scheduled = this.add(name, cron, work);
    scheduled.job.start();
    return scheduled;
  }

  onApplicationBootstrap(): void {
    this.health.add('jobs', () => this.report());
  }

  /** Begins the runs whose ticks have come. */
  @Interval(TICK_MS)
  tick(): void {
    for (const { job, ticks } of this.scheduled) if (ticks.hasCome()) job.start();
  }

  @Interval(WATCH_MS)
  watch(): void {
    for (const { job } of this.scheduled) job.watch();
  }

  /** Begins no further runs and waits for those in progress, which end after their page; not for one that hangs. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const wakeUp of this.wakeUps) wakeUp.stop();
    const ended = Promise.all(this.scheduled.map(({ job }) => job.stop()));
    const timeUp = new AbortController();
    await Promise.race([
      ended,
      sleep(SHUTDOWN_MS, undefined, { signal: timeUp.signal }).catch(() => undefined),
    ]);
    timeUp.abort();
  }

  /** When each job last finished, and whether all of them get on. */
  private report(): { details: Record<string, unknown>; isAlive: boolean } {
    const finished = this.scheduled.map(({ job }) => [job.name, job.finishedAt?.toISOString() ?? null]);
    const still = this.scheduled.filter(
      ({ job, ticks }) =>
        job.idleMs > STANDSTILL_INTERVALS * job.idleLimitMs &&
        // costs more than all else that a probe asks for
        job.idleMs > STANDSTILL_INTERVALS * ticks.interval(),
    );
    return {
      details: {
        last_finished: Object.fromEntries(finished) as Record<string, string | null>,
        ...(still.length > 0 && { at_a_standstill: still.map(({ job }) => job.name) }),
      },
      isAlive: still.length === 0,
    };
  }
}
