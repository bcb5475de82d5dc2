import { CanariesRepository } from '#persistence';
import { Clock, HealthReports, Metrics } from '#platform';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';
import { Counter, Gauge, Histogram } from 'prom-client';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoverageGaps } from '../alert-kinds/coverage-gap/coverage-gaps.js';
import { UnconfirmedDoses } from '../alert-kinds/coverage-gap/unconfirmed-doses.js';
import { CHECKS, type ScheduledCheck } from '../alert-kinds/index.js';
import { ChartUpkeep } from '../charts/chart-upkeep.js';
import { NotifierConfig } from '../config.js';
import { AddressVerification } from '../delivery/address-verification.js';
import { Channels } from '../delivery/channels/index.js';
import { Deliverer } from '../delivery/deliverer.js';
import { OutboxService } from '../delivery/outbox.service.js';
import { TestMessages } from '../delivery/test-messages.js';
import { NextDoses } from '../doses/next-doses.js';
import { Reconcile } from '../reconcile/reconcile.js';
import { cronsOf } from './crons.js';
import { Job, type Work, WATCH_MS } from './job.js';
import { ranUntil } from './ran-until.js';
import { SweepWakeUp } from './sweep-wake-up.js';
import { Ticks } from './ticks.js';

/** How often it is asked which ticks have come. Milliseconds. */
const TICK_MS = 500;

/** A run that has not finished a page for so long is abandoned: two leases. Milliseconds. */
const IDLE_LIMIT_MS = 60_000;
/** A page of these is large: an hour of the fleet's log. Milliseconds. */
const LONG_IDLE_LIMIT_MS = 15 * 60_000;
/** A job without progress for so many intervals is at a standstill, but not before it could have been abandoned as often. */
const STANDSTILL_INTERVALS = 3;
/** How long what happened to canaries is kept. Milliseconds. */
const CANARY_HISTORY_MS = 24 * 60 * 60_000;
/** How long a shutdown waits for the runs in progress. Milliseconds. */
const SHUTDOWN_MS = 20_000;

interface Scheduled {
  job: Job;
  ticks: Ticks;
}

/**
 * All scheduled jobs, by the injected clock. A job that is still running skips its next tick, and a shutdown waits for
 * it. One that does not get on is abandoned, counted and begun again.
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly scheduled: Scheduled[] = [];
  private readonly wakeUps: SweepWakeUp[] = [];
  private readonly startedAt: Date;
  private readonly duration: Histogram<'job'>;
  private readonly failures: Counter<'job'>;
  private readonly abandoned: Counter<'job'>;

  constructor(
    private readonly config: NotifierConfig,
    private readonly modules: ModuleRef,
    private readonly reconcile: Reconcile,
    private readonly outbox: OutboxService,
    private readonly deliverer: Deliverer,
    private readonly channels: Channels,
    private readonly verification: AddressVerification,
    private readonly tests: TestMessages,
    private readonly charts: ChartUpkeep,
    private readonly gaps: CoverageGaps,
    private readonly unconfirmed: UnconfirmedDoses,
    private readonly nextDoses: NextDoses,
    private readonly canaries: CanariesRepository,
    private readonly clock: Clock,
    private readonly health: HealthReports,
    metrics: Metrics,
  ) {
    this.startedAt = clock.now();
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
    const finished: Gauge<'job'> = new Gauge({
      name: 'pillwatch_job_last_finished_timestamp_seconds',
      // without the start, nobody would notice a job that has never finished
      help: 'When a run of the job last ended without an error, or the notifier started',
      ...common,
      collect: (): void => {
        for (const { job } of this.scheduled)
          finished.set({ job: job.name }, (job.finishedAt ?? this.startedAt).getTime() / 1_000);
      },
    });
    const interval: Gauge<'job'> = new Gauge({
      name: 'pillwatch_job_interval_seconds',
      help: 'The time between the next two ticks of the job',
      ...common,
      collect: (): void => {
        for (const { job, ticks } of this.scheduled)
          interval.set({ job: job.name }, ticks.interval() / 1_000);
      },
    });
  }

  onApplicationBootstrap(): void {
    const crons = cronsOf(this.config);
    for (const check of CHECKS) this.addCheck(check, crons.checks.get(check.deadline)!);
    const checks = [...this.scheduled];
    // by itself: while the fleet is read for a gap, the checks go on
    this.add('coverage', crons.coverage, () =>
      this.gaps.recordChecks(ranUntil(checks, this.clock.now())),
    ).job.start();
    this.add('coverage-gaps', crons['coverage-gaps'], async (stopping) => {
      await this.gaps.run(stopping);
      await this.unconfirmed.run(stopping);
    });
    const addLong = (name: string, cron: string, work: Work): Job =>
      this.add(name, cron, work, LONG_IDLE_LIMIT_MS).job;
    // continues a reconcile that a stopped notifier left unfinished
    addLong('reconcile', crons.reconcile, (stopping) => this.reconcile.run(stopping)).start((stopping) =>
      this.reconcile.resume(stopping),
    );
    addLong('charts', crons.charts, (stopping) => this.charts.follow(stopping));
    addLong('charts-of-bottles', crons['charts-of-bottles'], (stopping) => this.charts.keepVitals(stopping));
    addLong('renew-charts', crons['renew-charts'], (stopping) => this.charts.renew(stopping)).start();
    this.add('escalate', crons.escalate, async (stopping) => {
      await this.outbox.escalate(this.clock.now(), stopping);
      await this.outbox.queueEnds(this.clock.now(), stopping);
    });
    // one job for each channel: a channel that hangs blocks no other
    for (const channel of this.channels.all) {
      this.add(`deliver-${channel.name}`, crons.deliver, (stopping) =>
        this.deliverer.runChannel(channel, stopping),
      );
    }
    this.add('next-doses', crons['next-doses'], (stopping) => this.nextDoses.run(stopping));
    this.add('canaries', crons.canaries, () =>
      this.canaries.deleteBefore(new Date(this.clock.now().getTime() - CANARY_HISTORY_MS)),
    );
    this.add('test-messages', crons['test-messages'], (stopping) => this.tests.run(stopping));
    this.add('verify-addresses', crons['verify-addresses'], (stopping) => this.verification.run(stopping));
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

  /** Runs a check at its ticks, at deadlines in between, and at start, for what became due while no notifier ran. */
  private addCheck({ type, job: name, onlyAtTicks }: ScheduledCheck, cron: string): void {
    const check = this.modules.get(type);
    if (onlyAtTicks) {
      this.add(name, cron, (stopping) => check.run(stopping));
      return;
    }
    const work: Work = async (stopping) => {
      const began = this.clock.now();
      await check.run(stopping);
      await wakeUp.schedule(began, () => ticks.next());
    };
    const wakeUp = new SweepWakeUp(
      (after) => check.nextDeadline(after),
      () => job.start(),
      this.clock,
    );
    this.wakeUps.push(wakeUp);
    const { job, ticks } = this.add(name, cron, work);
    job.start();
  }

  private add(name: string, cron: string, work: Work, idleLimitMs = IDLE_LIMIT_MS): Scheduled {
    // present from the start: otherwise Prometheus cannot see the first one
    for (const counter of [this.failures, this.abandoned]) counter.inc({ job: name }, 0);
    const events = {
      began: () => this.duration.startTimer({ job: name }),
      failed: (error: unknown) => {
        this.failures.inc({ job: name });
        this.logger.error(
          `${name}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
        );
      },
      abandoned: () => {
        this.abandoned.inc({ job: name });
        this.logger.error(`${name}: abandoned, no progress for ${idleLimitMs / 1_000} s`);
      },
    };
    const job = new Job(name, work, idleLimitMs, events, this.clock);
    const scheduled = { job, ticks: new Ticks(cron, this.clock) };
    this.scheduled.push(scheduled);
    return scheduled;
  }

  /** When each job last finished, and whether all of them get on. */
  private report(): { details: Record<string, unknown>; isAlive: boolean } {
    const finished = this.scheduled.map(({ job }) => [job.name, job.finishedAt?.toISOString() ?? null]);
    const still = this.scheduled.filter(
      ({ job, ticks }) => job.idleMs > STANDSTILL_INTERVALS * Math.max(ticks.interval(), job.idleLimitMs),
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
