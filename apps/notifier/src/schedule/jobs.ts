import { DAY_MS, MINUTE_MS } from '#domain';
import { CanariesRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CoverageGaps } from '../alert-kinds/coverage-gap/coverage-gaps.js';
import { UnconfirmedDoses } from '../alert-kinds/coverage-gap/unconfirmed-doses.js';
import { CHECKS } from '../alert-kinds/index.js';
import { ChartUpkeep } from '../charts/chart-upkeep.js';
import { NotifierConfig } from '../config.js';
import { AddressVerification } from '../delivery/address-verification.js';
import { Channels } from '../delivery/channels/index.js';
import { StaffBrowsers } from '../delivery/channels/push/staff-browsers.js';
import { EndpointUpkeep } from '../delivery/channels/webhook/endpoint-upkeep.js';
import { Deliverer } from '../delivery/deliverer.js';
import { OutboxService } from '../delivery/outbox.service.js';
import { Receipts } from '../delivery/receipts.js';
import { RefusalSummary } from '../delivery/refusal-summary.js';
import { TestMessages } from '../delivery/test-messages.js';
import { NextDoses } from '../doses/next-doses.js';
import { Reconcile } from '../reconcile/reconcile.js';
import { type Crons, cronsOf } from './crons.js';
import type { Work } from './job.js';
import type { Scheduled } from './job-metrics.js';
import { ranUntil } from './ran-until.js';
import { Scheduler } from './scheduler.js';

/** A page of these is large: an hour of the fleet's log. Milliseconds. */
const LONG_IDLE_LIMIT_MS = 15 * MINUTE_MS;

/** All jobs of the notifier, at the times of `crons.ts`. A service is taken from the module when its jobs are added. */
@Injectable()
export class Jobs implements OnApplicationBootstrap {
  private readonly crons: Crons;

  constructor(
    private readonly scheduler: Scheduler,
    config: NotifierConfig,
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
  ) {
    this.crons = cronsOf(config);
  }

  onApplicationBootstrap(): void {
    this.addChecks();
    this.addReconcile();
    this.addCharts();
    this.addDelivery();
    const nextDoses = this.get(NextDoses);
    this.scheduler.add('next-doses', this.crons['next-doses'], (stopping) => nextDoses.run(stopping));
    const canaries = this.get(CanariesRepository);
    this.scheduler.add('canaries', this.crons.canaries, () =>
      // what happened to them is kept for a day
      canaries.deleteBefore(new Date(this.clock.now().getTime() - DAY_MS)),
    );
  }

  private addChecks(): void {
    const checks = CHECKS.map(({ type, job, deadline, onlyAtTicks }) => {
      const check = this.get(type);
      const cron = this.crons.checks.get(deadline)!;
      return onlyAtTicks
        ? this.scheduler.add(job, cron, (stopping) => check.run(stopping))
        : this.scheduler.addSweep(job, cron, check);
    });
    const [gaps, unconfirmed] = [this.get(CoverageGaps), this.get(UnconfirmedDoses)];
    // by itself: while the fleet is read for a gap, the checks go on
    const recordChecks = (): Promise<void> => gaps.recordChecks(ranUntil(checks, this.clock.now()));
    this.scheduler.add('coverage', this.crons.coverage, recordChecks).job.start();
    this.scheduler.add('coverage-gaps', this.crons['coverage-gaps'], async (stopping) => {
      await gaps.run(stopping);
      await unconfirmed.run(stopping);
    });
  }

  private addReconcile(): void {
    const reconcile = this.get(Reconcile);
    const run: Work = (stopping) => reconcile.run(stopping);
    const { job } = this.scheduler.add('reconcile', this.crons.reconcile, run, LONG_IDLE_LIMIT_MS);
    // continues a reconcile that a stopped notifier left unfinished
    job.start((stopping) => reconcile.resume(stopping));
  }

  private addCharts(): void {
    const charts = this.get(ChartUpkeep);
    const add = (name: string, cron: string, work: Work) =>
      this.scheduler.add(name, cron, work, LONG_IDLE_LIMIT_MS);
    add('charts', this.crons.charts, (stopping) => charts.follow(stopping));
    add('charts-of-bottles', this.crons['charts-of-bottles'], (stopping) => charts.keepVitals(stopping));
    add('renew-charts', this.crons['renew-charts'], (stopping) => charts.renew(stopping)).job.start();
  }

  private addDelivery(): void {
    const outbox = this.get(OutboxService);
    this.scheduler.add('escalate', this.crons.escalate, (stopping) =>
      outbox.queueOwed(this.clock.now(), stopping),
    );
    const deliverer = this.get(Deliverer);
    // one job for each channel: a channel that hangs blocks no other
    const channels = this.get(Channels);
    const sending = new Map<string, Scheduled>();
    const addJobs = (): void => {
      for (const channel of channels.all)
        if (!sending.has(channel.name))
          sending.set(
            channel.name,
            this.scheduler.add(`deliver-${channel.name}`, this.crons.deliver, (stopping) =>
              deliverer.runChannel(channel, stopping),
            ),
          );
    };
    addJobs();
    const [upkeep, staff] = [this.get(EndpointUpkeep), this.get(StaffBrowsers)];
    this.scheduler.add('webhook-endpoints', this.crons['webhook-endpoints'], async (stopping) => {
      await staff.refresh();
      await upkeep.run(stopping);
      addJobs();
      const names = new Set(channels.all.map(({ name }) => name));
      for (const [name, job] of sending)
        if (!names.has(name)) {
          sending.delete(name);
          this.scheduler.remove(job);
        }
    });
    const receipts = this.get(Receipts);
    this.scheduler.add('receipts', this.crons.receipts, (stopping) => receipts.run(stopping));
    const summary = this.get(RefusalSummary);
    this.scheduler.add('refused-addresses', this.crons['refused-addresses'], () => summary.run());
    const [tests, verification] = [this.get(TestMessages), this.get(AddressVerification)];
    this.scheduler.add('test-messages', this.crons['test-messages'], (stopping) => tests.run(stopping));
    this.scheduler.add('verify-addresses', this.crons['verify-addresses'], (stopping) =>
      verification.run(stopping),
    );
  }

  private get<T>(type: Type<T>): T {
    return this.modules.get(type, { strict: false });
  }
}
