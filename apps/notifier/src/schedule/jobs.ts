import { Clock, Metrics } from '#platform';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { Counter, Histogram } from 'prom-client';
import { CHECKS, type ScheduledCheck } from '../alert-kinds/index.js';
import { ChartUpkeep } from '../charts/chart-upkeep.js';
import { NotifierConfig } from '../config.js';
import { Channels } from '../delivery/channels/index.js';
import { Deliverer } from '../delivery/deliverer.js';
import { OutboxService } from '../delivery/outbox.service.js';
import { Reconcile } from '../reconcile/reconcile.js';
import { SweepWakeUp } from './sweep-wake-up.js';

type Work = (stopping: () => boolean) => Promise<unknown>;

const EVERY_SECOND = '* * * * * *';
const EVERY_MINUTE = '20 * * * * *';
const EVERY_HOUR = '40 50 * * * *';

/**
 * All scheduled jobs. Their cron expressions come from the configuration, so they are added here and not by `@Cron`.
 * A job that is still running skips its next tick, and shutdown waits for it: the scheduler does neither
 * (nestjs/schedule#273).
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly running = new Map<string, Promise<void>>();
  private readonly wakeUps: SweepWakeUp[] = [];
  private readonly duration: Histogram<'job'>;
  private readonly failures: Counter<'job'>;
  private stopping = false;

  constructor(
    private readonly registry: SchedulerRegistry,
    private readonly config: NotifierConfig,
    private readonly modules: ModuleRef,
    private readonly reconcile: Reconcile,
    private readonly outbox: OutboxService,
    private readonly deliverer: Deliverer,
    private readonly channels: Channels,
    private readonly charts: ChartUpkeep,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.duration = new Histogram({
      name: 'pillwatch_job_seconds',
      help: 'Duration of scheduled jobs',
      labelNames: ['job'],
      registers: [metrics],
    });
    this.failures = new Counter({
      name: 'pillwatch_job_failures_total',
      help: 'Scheduled jobs that failed',
      labelNames: ['job'],
      registers: [metrics],
    });
  }

  onApplicationBootstrap(): void {
    for (const check of CHECKS) this.addCheck(check);
    this.add('reconcile', this.config.RECONCILE_CRON, (stopping) => this.reconcile.run(stopping));
    // continues a reconcile that a stopped notifier left unfinished
    this.start('reconcile', (stopping) => this.reconcile.resume(stopping));
    this.add('reconcile-charts', this.config.RECONCILE_CRON, (stopping) => this.charts.reconcile(stopping));
    this.add('roll-up-charts', EVERY_MINUTE, (stopping) => this.charts.rollUp(stopping));
    this.add('renew-charts', EVERY_HOUR, (stopping) => this.charts.renew(stopping));
    this.start('renew-charts', (stopping) => this.charts.renew(stopping));
    this.add('escalate', EVERY_SECOND, async (stopping) => {
      await this.outbox.escalate(this.clock.now(), stopping);
      await this.outbox.queueEnds(this.clock.now(), stopping);
    });
    // one job for each channel: a channel that hangs blocks no other
    for (const channel of this.channels.all) {
      this.add(`deliver-${channel.name}`, EVERY_SECOND, (stopping) =>
        this.deliverer.runChannel(channel, stopping),
      );
    }
  }

  /** Starts no further runs and waits for the running ones, which end after their page. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const wakeUp of this.wakeUps) wakeUp.stop();
    for (const job of this.registry.getCronJobs().values()) await job.stop();
    await Promise.all(this.running.values());
  }

  /** Runs a check at its ticks, at deadlines in between, and at start, for what became due while no notifier ran. */
  private addCheck({ type, job: name, cron, onlyAtTicks }: ScheduledCheck): void {
    const check = this.modules.get(type);
    const cronTime = cron(this.config);
    if (onlyAtTicks) {
      this.add(name, cronTime, (stopping) => check.run(stopping));
      return;
    }
    const work: Work = async (stopping) => {
      const began = this.clock.now();
      await check.run(stopping);
      await wakeUp.schedule(began, () => job.nextDate().toJSDate());
    };
    const wake = (): void => this.start(name, work);
    const wakeUp = new SweepWakeUp((after) => check.nextDeadline(after), wake, this.clock);
    this.wakeUps.push(wakeUp);
    const job = this.add(name, cronTime, work);
    wake();
  }

  private add(name: string, cronTime: string, work: Work): CronJob {
    const onTick = (): void => this.start(name, work);
    const job = CronJob.from({ name, cronTime, onTick, timeZone: 'UTC', start: true });
    this.registry.addCronJob(name, job);
    return job;
  }

  private start(name: string, work: Work): void {
    if (this.stopping || this.running.has(name)) return;
    const run = this.run(name, work).finally(() => this.running.delete(name));
    this.running.set(name, run);
  }

  private async run(name: string, work: Work): Promise<void> {
    const end = this.duration.startTimer({ job: name });
    try {
      await work(() => this.stopping);
    } catch (error) {
      this.failures.inc({ job: name });
      this.logger.error(
        `${name}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
      );
    } finally {
      end();
    }
  }
}
