import { Clock, Metrics } from '#platform';
import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Job, RunEvents } from './job.js';
import type { Ticks } from './ticks.js';

/** A job and its ticks. */
export interface Scheduled {
  job: Job;
  ticks: Ticks;
}

/** What is measured and logged of the scheduled jobs. */
@Injectable()
export class JobMetrics {
  private readonly logger = new Logger('Jobs');
  private readonly scheduled: Scheduled[] = [];
  private readonly duration: Histogram<'job'>;
  private readonly failures: Counter<'job'>;
  private readonly abandoned: Counter<'job'>;
  private readonly finished: Gauge<'job'>;
  private readonly interval: Gauge<'job'>;

  constructor(metrics: Metrics, clock: Clock) {
    const startedAt = clock.now();
    const common = { labelNames: ['job'] as const, registers: [metrics] };
    this.duration = new Histogram({
      name: 'pillwatch_job_seconds',
      help: 'Duration of scheduled jobs',
      ...common,
    });
    this.failures = new Counter({
      name: 'pillwatch_job_failures_total',
      help: 'Scheduled jobs that failed',
      ...common,
    });
    this.abandoned = new Counter({
      name: 'pillwatch_jobs_abandoned_total',
      help: 'Runs of scheduled jobs that were abandoned because they made no progress',
      ...common,
    });
    this.finished = new Gauge({
      name: 'pillwatch_job_last_finished_timestamp_seconds',
      // without the start, nobody would notice a job that has never finished
      help: 'When a run of the job last ended without an error, or the notifier started',
      ...common,
      collect: (): void => {
        for (const { job } of this.scheduled)
          this.finished.set({ job: job.name }, (job.finishedAt ?? startedAt).getTime() / 1_000);
      },
    });
    this.interval = new Gauge({
      name: 'pillwatch_job_interval_seconds',
      help: 'The time between the next two ticks of the job',
      ...common,
      collect: (): void => {
        for (const { job, ticks } of this.scheduled)
          this.interval.set({ job: job.name }, ticks.interval() / 1_000);
      },
    });
  }

  /** Measures the job from now on. */
  add(scheduled: Scheduled): void {
    this.scheduled.push(scheduled);
  }

  /** The job is no more. */
  remove(scheduled: Scheduled): void {
    this.scheduled.splice(this.scheduled.indexOf(scheduled), 1);
    for (const gauge of [this.finished, this.interval]) gauge.remove({ job: scheduled.job.name });
  }

  /** What a job reports of its runs. */
  eventsOf(job: string, idleLimitMs: number): RunEvents {
    // present from the start: otherwise Prometheus cannot see the first one
    for (const counter of [this.failures, this.abandoned]) counter.inc({ job }, 0);
    return {
      began: () => this.duration.startTimer({ job }),
      failed: (error) => {
        this.failures.inc({ job });
        this.logger.error(
          `${job}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
        );
      },
      abandoned: () => {
        this.abandoned.inc({ job });
        this.logger.error(`${job}: abandoned, no progress for ${idleLimitMs / 1_000} s`);
      },
    };
  }
}
