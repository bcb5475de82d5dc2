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

/** Heartbeats this close to the end of their retention may be deleted while they are counted. Milliseconds. */
const RETENTION_MARGIN_MS = 60 * 60_000;
/** For how long after an erasure to delete counts that were written late. Milliseconds. */
const ERASURE_WINDOW_MS = 24 * 60 * 60_000;

/** Scheduled work on the charts' data. Any number of notifiers may do it at once, and repeat it after a crash. */
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
      help: 'Chart buckets that differed from the log and were recomputed',
      registers: [metrics],
    });
  }

  /** Every minute: recomputes wrong counts and rolls up into the coarser tiers. */
  async rollUp(stopping = () => false): Promise<void> {
    await this.recounts.finishDue(this.clock, this.heartbeatsSince(), stopping);
    await this.rollUps.run(this.clock, stopping);
  }

  /** With every reconcile: compares the counts with the log; `rollUp` recomputes those that differ. */
  async reconcile(stopping = () => false): Promise<void> {
    const { differing } = await this.reconciling.run(
      this.clock,
      this.heartbeatsSince(),
      this.config.RECONCILE_RATE,
      stopping,
    );
    if (differing === 0) return;
    this.differing.inc(differing);
    this.logger.warn(`${differing} counts differ from the log and will be recomputed`);
  }

  private heartbeatsSince(): Date {
    return new Date(this.clock.now().getTime() - this.config.HEARTBEAT_RETENTION + RETENTION_MARGIN_MS);
  }

  /**
   * Every hour: creates the next collections and the next hour's documents, and drops expired collections after
   * rolling up their contents. Deletes what was counted of erased bottles after the erasure.
   */
  async renew(stopping = () => false): Promise<void> {
    const now = this.clock.now();
    await this.collections.makeAhead(now);
    await this.preallocation.nextHour(now);
    await this.rollUps.run(this.clock, stopping);
    if (stopping()) return;
    const dropped = await this.collections.dropExpired(now);
    if (dropped.length > 0) this.logger.log(`dropped ${dropped.join(', ')}`);
    for (const { id } of await this.audit.findSubjects(
      ERASURE,
      new Date(now.getTime() - ERASURE_WINDOW_MS),
    )) {
      if (stopping()) return;
      await this.vitals.deleteOfBottle(new Types.ObjectId(id));
    }
  }
}
