import { HEARTBEAT_INTERVAL, type HeartbeatGap, heartbeatGaps } from '#domain';
import { BottleHeartbeatsRepository, CoverageRepository, type HistoryRange } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { SupportApiConfig } from '../config.js';
import type { HeartbeatGapDto } from './timeline.dto.js';

/** Two weeks of a bottle, 672 heartbeats, take one read. */
const BATCH_SIZE = 1_000;
/** The limit of a page, however many heartbeats a bottle sends. */
const MAX_READS = 4;

/** Gaps, newest first. */
export interface FoundGaps {
  gaps: HeartbeatGapDto[];
  /** Every gap that begins at or after this time was found; absent if the whole range was read. */
  completeFrom?: Date;
}

/** When the first missing heartbeat was due: the time of the gap in the timeline. */
export function beginningOf({ after }: { after: Date }): Date {
  return new Date(after.getTime() + HEARTBEAT_INTERVAL);
}

/** Derives missing heartbeats from the log. */
@Injectable()
export class HeartbeatGaps {
  constructor(
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly coverage: CoverageRepository,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** Finds up to `limit` gaps that begin in [from, to). Reads at most 4,000 heartbeats. */
  async find(
    bottleId: Types.ObjectId,
    { from, to, limit }: Omit<HistoryRange, 'before'>,
  ): Promise<FoundGaps> {
    const now = this.clock.now();
    const first = new Date(from.getTime() - HEARTBEAT_INTERVAL);
    let before = new Date(to.getTime() - HEARTBEAT_INTERVAL);
    let next = await this.heartbeats.findTimeSince(bottleId, before);
    const gaps: HeartbeatGap[] = [];
    for (let read = 0; read < MAX_READS; read += 1) {
      const times = await this.heartbeats.findTimes(bottleId, first, before, BATCH_SIZE);
      gaps.push(...heartbeatGaps(times, next, now));
      if (gaps.length >= limit || times.length < BATCH_SIZE)
        return { gaps: await this.describe(gaps.slice(0, limit), now) };
      next = before = times.at(-1)!;
    }
    return { gaps: await this.describe(gaps, now), completeFrom: beginningOf({ after: before }) };
  }

  /** Adds how long of each gap counts as listened, as in the checks. */
  private async describe(gaps: readonly HeartbeatGap[], now: Date): Promise<HeartbeatGapDto[]> {
    const oldest = gaps.at(-1);
    if (!oldest) return [];
    const coverage = await this.coverage.read(oldest.after, now, this.config.SILENT_BOTTLE_AFTER);
    return gaps.map(({ after, until, missed }) => ({
      after,
      until: until ?? null,
      missed,
      listened_ms: coverage.listened(after, until && until < coverage.until ? until : coverage.until),
    }));
  }
}
