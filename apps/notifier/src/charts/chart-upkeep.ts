import { AuditRepository, ERASURE } from '#persistence';
import { Clock, Metrics } from '#platform';
import {
  ActivityReconcile,
  BottleVitals,
  Preallocation,
  RangedCollections,
  Recounts,
  RollUps,
} from '#timeseries';
import { Injectable, Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { Counter } from 'prom-client';
import { NotifierConfig } from '../config.js';

/** Heartbeats this near to their end may be deleted while they are counted. Milliseconds. */
const MARGIN = 60 * 60_000;
/** So long after a bottle was erased is looked for what was counted of it too late to go with it. Milliseconds. */
const SWEPT = 24 * 60 * 60_000;

/** What the charts need done by the clock. Any number of notifiers may do it at once, and after any stop. */
@Injectable()
export class ChartUpkeep {
  private readonly logger = new Logger('Charts');
  private readonly differing: Counter;

  constructor(
    private readonly rollUps: RollUps,
    private readonly collections: RangedCollections,
    private readonly preallocation: Preallocation,
    private readonly reconciling: ActivityReconcile,
    private readonly recounts: Recounts,
    private readonly vitals: BottleVitals,
    private readonly audit: AuditRepository,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.differing = new Counter({
      name: 'pillwatch_charts_differing_total',
      help: 'Counts behind the charts that differed from the log and were made anew',
      registers: [metrics],
    });
  }

  /** Every minute: makes the counts anew that were found wrong, and lets the coarser tiers follow. */
  async rollUp(stopping = () => false): Promise<void> {
    await this.recounts.finishDue(this.clock, this.heartbeatsSince(), stopping);
    await this.rollUps.run(this.clock, stopping);
  }

  /** With every reconcile: compares what was counted with the logs. What differs is made anew by `rollUp`. */
  async reconcile(stopping = () => false): Promise<void> {
    const { differing } = await this.reconciling.run(
      this.clock,
      this.heartbeatsSince(),
      this.config.RECONCILE_RATE,
      stopping,
    );
    if (differing === 0) return;
    this.differing.inc(differing);
    this.logger.warn(`${differing} counts differ from the log and are made anew`);
  }

  private heartbeatsSince(): Date {
    return new Date(this.clock.now().getTime() - this.config.HEARTBEAT_RETENTION + MARGIN);
  }

  /**
   * Every hour: makes the collections that come next and the next hour's documents, and drops the collections that
   * are past keeping. What they held is rolled up first, however long no notifier ran. Of bottles that were erased
   * goes what was counted a moment later.
   */
  async renew(stopping = () => false): Promise<void> {
    const now = this.clock.now();
    await this.collections.makeAhead(now);
    await this.preallocation.nextHour(now);
    await this.rollUps.run(this.clock, stopping);
    if (stopping()) return;
    const dropped = await this.collections.dropExpired(now);
    if (dropped.length > 0) this.logger.log(`dropped ${dropped.join(', ')}`);
    for (const { id } of await this.audit.findSubjects(ERASURE, new Date(now.getTime() - SWEPT))) {
      if (stopping()) return;
      await this.vitals.deleteOfBottle(new Types.ObjectId(id));
    }
  }
}
