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
import { LookAhead } from './look-ahead.js';

type Work = (stopping: () => boolean) => Promise<unknown>;

const EVERY_SECOND = '* * * * * *';
const EVERY_MINUTE = '20 * * * * *';
const EVERY_HOUR = '40 50 * * * *';

/**
 * Everything that runs by the clock, in one place. The expressions come from the configuration, so the jobs
 * are added by hand and not by `@Cron`. A run that is still going skips the next; a stop waits for it: the
 * scheduler does neither for us (nestjs/schedule#273).
 */
@Injectable()
export class Jobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Jobs.name);
  private readonly running = new Map<string, Promise<void>>();
  private readonly lookAheads: LookAhead[] = [];
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
      help: 'How long the scheduled jobs take',
      labelNames: ['job'],
      registers: [metrics],
    });
    this.failures = new Counter({
      name: 'pillwatch_job_failures_total',
      help: 'Scheduled jobs that ended with an error',
      labelNames: ['job'],
      registers: [metrics],
    });
  }

  onApplicationBootstrap(): void {
    for (const check of CHECKS) this.addCheck(check);
    this.add('reconcile', this.config.RECONCILE_CRON, (stopping) => this.reconcile.run(stopping));
    // what a stopped notifier left of a round
    this.start('reconcile', (stopping) => this.reconcile.resume(stopping));
    this.add('reconcile-charts', this.config.RECONCILE_CRON, (stopping) => this.charts.reconcile(stopping));
    this.add('roll-up-charts', EVERY_MINUTE, (stopping) => this.charts.rollUp(stopping));
    this.add('renew-charts', EVERY_HOUR, (stopping) => this.charts.renew(stopping));
    this.start('renew-charts', (stopping) => this.charts.renew(stopping));
    this.add('escalate', EVERY_SECOND, async (stopping) => {
      await this.outbox.escalate(this.clock.now(), stopping);
      await this.outbox.tellEnds(this.clock.now(), stopping);
    });
    // a channel that hangs holds up no other
    for (const channel of this.channels.all) {
      this.add(`deliver-${channel.name}`, EVERY_SECOND, (stopping) =>
        this.deliverer.runChannel(channel, stopping),
      );
    }
  }

  /** No further runs; those in hand end after their page. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const ahead of this.lookAheads) ahead.stop();
    for (const job of this.registry.getCronJobs().values()) await job.stop();
    await Promise.all(this.running.values());
  }

  /** A check runs at its ticks, at deadlines that pass between them, and at once, for who came due before the start. */
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
      await ahead.look(began, () => job.nextDate().toJSDate());
    };
    const wake = (): void => this.start(name, work);
    const ahead = new LookAhead((after) => check.nextDeadline(after), wake, this.clock);
    this.lookAheads.push(ahead);
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
