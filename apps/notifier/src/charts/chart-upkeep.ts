import { DAY_MS, HOUR_MS } from '#domain';
import { AuditRepository, ERASURE } from '#persistence';
import { Clock } from '#platform';
import {
  ReportRollUp,
  LiveCounts,
  RangedCollections,
  RollUps,
  VitalsDaysRepository,
  VitalsHistory,
} from '#timeseries';
import { Injectable, Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { NotifierConfig } from '../config.js';

/** Heartbeats this close to the end of their retention may be deleted while they are read. Milliseconds. */
const RETENTION_MARGIN_MS = HOUR_MS;
/** For how long after an erasure to delete what was written late. Milliseconds. */
const ERASURE_WINDOW_MS = DAY_MS;

/** Scheduled work on the charts' data. Any number of notifiers may do it at once, and repeat it after a crash. */
@Injectable()
export class ChartUpkeep {
  private readonly logger = new Logger('Charts');

  constructor(
    private readonly reportRollUp: ReportRollUp,
    private readonly rollUps: RollUps,
    private readonly history: VitalsHistory,
    private readonly collections: RangedCollections,
    private readonly live: LiveCounts,
    private readonly vitals: VitalsDaysRepository,
    private readonly audit: AuditRepository,
    private readonly config: NotifierConfig,
    private readonly clock: Clock,
  ) {}

  /** Every minute: adds what was received to the counts, and rolls up what the notifier wrote down. */
  async follow(stopping = () => false): Promise<void> {
    await this.reportRollUp.run(this.clock, stopping);
    await this.rollUps.run(this.clock, stopping);
  }

  /** Every minute: makes the documents of the bottles' days that are over. Once a day there is something to do. */
  async keepVitals(stopping = () => false): Promise<void> {
    const retention = this.config.HEARTBEAT_RETENTION - RETENTION_MARGIN_MS;
    const since = new Date(this.clock.now().getTime() - retention);
    await this.history.run(this.clock, since, this.config.RECONCILE_RATE, stopping);
  }

  /**
   * Every hour: creates the next collections and the next hour's documents, and drops expired collections after
   * their contents have been counted. Deletes what was written of erased bottles after the erasure.
   */
  async renew(stopping = () => false): Promise<void> {
    const now = this.clock.now();
    await this.collections.makeAhead(now);
    await this.live.makeNextHour(now);
    await this.follow(stopping);
    if (stopping()) return;
    await this.dropCounted(now);
    for (const { id } of await this.audit.findSubjects(
      ERASURE,
      new Date(now.getTime() - ERASURE_WINDOW_MS),
    )) {
      if (stopping()) return;
      await this.vitals.deleteOfBottle(new Types.ObjectId(id));
    }
  }

  /** Another notifier may be counting, and be behind: what it has yet to read stays. */
  private async dropCounted(now: Date): Promise<void> {
    const counted = await this.reportRollUp.countedUntil();
    if (!counted) return;
    const dropped = await this.collections.dropExpired(counted < now ? counted : now);
    if (dropped.length > 0) this.logger.log(`dropped ${dropped.join(', ')}`);
  }
}
