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
import { Deliverer } from '../delivery/deliverer.js';
import { OutboxService } from '../delivery/outbox.service.js';
import { TestMessages } from '../delivery/test-messages.js';
import { NextDoses } from '../doses/next-doses.js';
import { Reconcile } from '../reconcile/reconcile.js';
import type { Work } from './job.js';
import { ranUntil } from './ran-until.js';
import { Scheduler } from './scheduler.js';

const EVERY_SECOND = '* * * * * *';
const EVERY_10_SECONDS = '*/10 * * * * *';
const EVERY_MINUTE = '20 * * * * *';
const EVERY_HOUR = '40 50 * * * *';

/** A page of these is large: an hour of the fleet's log. Milliseconds. */
const LONG_IDLE_LIMIT_MS = 15 * MINUTE_MS;

/** All jobs of the notifier, and when they run. A service is taken from the module when its jobs are added. */
@Injectable()
export class Jobs implements OnApplicationBootstrap {
  constructor(
    private readonly scheduler: Scheduler,
    private readonly config: NotifierConfig,
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.addChecks();
    this.addReconcile();
    this.addCharts();
    this.addDelivery();
    const nextDoses = this.get(NextDoses);
    this.scheduler.add('next-doses', EVERY_10_SECONDS, (stopping) => nextDoses.run(stopping));
    const canaries = this.get(CanariesRepository);
    this.scheduler.add('canaries', EVERY_HOUR, () =>
      // what happened to them is kept for a day
      canaries.deleteBefore(new Date(this.clock.now().getTime() - DAY_MS)),
    );
  }

  private addChecks(): void {
    const checks = CHECKS.map(({ type, job, cron, onlyAtTicks }) => {
      const check = this.get(type);
      return onlyAtTicks
        ? this.scheduler.add(job, cron(this.config), (stopping) => check.run(stopping))
        : this.scheduler.addSweep(job, cron(this.config), check);
    });
    const [gaps, unconfirmed] = [this.get(CoverageGaps), this.get(UnconfirmedDoses)];
    // by itself: while the fleet is read for a gap, the checks go on
    const recordChecks = (): Promise<void> => gaps.recordChecks(ranUntil(checks, this.clock.now()));
    this.scheduler.add('coverage', EVERY_10_SECONDS, recordChecks).job.start();
    this.scheduler.add('coverage-gaps', EVERY_10_SECONDS, async (stopping) => {
      await gaps.run(stopping);
      await unconfirmed.run(stopping);
    });
  }

  private addReconcile(): void {
    const reconcile = this.get(Reconcile);
    const run: Work = (stopping) => reconcile.run(stopping);
    const { job } = this.scheduler.add('reconcile', this.config.RECONCILE_CRON, run, LONG_IDLE_LIMIT_MS);
    // continues a reconcile that a stopped notifier left unfinished
    job.start((stopping) => reconcile.resume(stopping));
  }

  private addCharts(): void {
    const charts = this.get(ChartUpkeep);
    const add = (name: string, cron: string, work: Work) =>
      this.scheduler.add(name, cron, work, LONG_IDLE_LIMIT_MS);
    add('charts', EVERY_MINUTE, (stopping) => charts.follow(stopping));
    add('charts-of-bottles', EVERY_MINUTE, (stopping) => charts.keepVitals(stopping));
    add('renew-charts', EVERY_HOUR, (stopping) => charts.renew(stopping)).job.start();
  }

  private addDelivery(): void {
    const outbox = this.get(OutboxService);
    this.scheduler.add('escalate', EVERY_SECOND, async (stopping) => {
      await outbox.escalate(this.clock.now(), stopping);
      await outbox.queueEnds(this.clock.now(), stopping);
    });
    const deliverer = this.get(Deliverer);
    // one job for each channel: a channel that hangs blocks no other
    for (const channel of this.get(Channels).all)
      this.scheduler.add(`deliver-${channel.name}`, EVERY_SECOND, (stopping) =>
        deliverer.runChannel(channel, stopping),
      );
    const [tests, verification] = [this.get(TestMessages), this.get(AddressVerification)];
    this.scheduler.add('test-messages', EVERY_SECOND, (stopping) => tests.run(stopping));
    this.scheduler.add('verify-addresses', EVERY_10_SECONDS, (stopping) => verification.run(stopping));
  }

  private get<T>(type: Type<T>): T {
    return this.modules.get(type, { strict: false });
  }
}
