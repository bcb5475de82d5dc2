import { Clock } from '#platform';
import { Preallocation, RangedCollections, RollUps } from '#timeseries';
import { Injectable, Logger } from '@nestjs/common';

/** What the charts need done by the clock. Any number of notifiers may do it at once, and after any stop. */
@Injectable()
export class ChartUpkeep {
  private readonly logger = new Logger('Charts');

  constructor(
    private readonly rollUps: RollUps,
    private readonly collections: RangedCollections,
    private readonly preallocation: Preallocation,
    private readonly clock: Clock,
  ) {}

  /** Every minute: lets the coarser tiers follow. */
  async rollUp(stopping = () => false): Promise<void> {
    await this.rollUps.run(this.clock, stopping);
  }

  /**
   * Every hour: makes the collections that come next and the next hour's documents, and drops the collections that
   * are past keeping. What they held is rolled up first, however long no notifier ran.
   */
  async renew(stopping = () => false): Promise<void> {
    const now = this.clock.now();
    await this.collections.makeAhead(now);
    await this.preallocation.nextHour(now);
    await this.rollUps.run(this.clock, stopping);
    if (stopping()) return;
    const dropped = await this.collections.dropExpired(now);
    if (dropped.length > 0) this.logger.log(`dropped ${dropped.join(', ')}`);
  }
}
