import { HEARTBEAT_INTERVAL, type HeartbeatGap, heartbeatGaps, coveredTime } from '#domain';
import { BottleHeartbeatsRepository, type HistoryRange, CoverageRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { HeartbeatGapDto } from './timeline.dto.js';

/** Two weeks of a bottle are 672 heartbeats: one read. */
const READ_AT_ONCE = 1_000;
/** No page reads more, however often a bottle beats. */
const MOST_READS = 4;

/** Gaps, newest first. */
export interface FoundGaps {
  gaps: HeartbeatGap[];
  /** All that begin at or after this have been found; absent when none is left in the range. */
  completeFrom?: Date;
}

/** When the first heartbeat that is missing was due: the gap's place among what happened. */
export function beginningOf({ after }: HeartbeatGap): Date {
  return new Date(after.getTime() + HEARTBEAT_INTERVAL);
}

/** Reckons from the log which heartbeats are missing: what never came is stored nowhere. */
@Injectable()
export class HeartbeatGaps {
  constructor(
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly listening: CoverageRepository,
    private readonly clock: Clock,
  ) {}

  /** The gaps that begin in [from, to), at most `limit`, of at most 4,000 heartbeats. */
  async find(
    bottleId: Types.ObjectId,
    { from, to, limit }: Omit<HistoryRange, 'before'>,
  ): Promise<FoundGaps> {
    const now = this.clock.now();
    const [first, end] = [from, to].map((time) => new Date(time.getTime() - HEARTBEAT_INTERVAL)) as [
      Date,
      Date,
    ];
    let next = await this.heartbeats.findTimeSince(bottleId, end);
    let before = end;
    const gaps: HeartbeatGap[] = [];
    for (let read = 0; read < MOST_READS; read += 1) {
      const times = await this.heartbeats.findTimes(bottleId, first, before, READ_AT_ONCE);
      gaps.push(...heartbeatGaps(times, next, now));
      if (gaps.length >= limit || times.length < READ_AT_ONCE) return { gaps: gaps.slice(0, limit) };
      next = before = times.at(-1)!;
    }
    return { gaps, completeFrom: beginningOf({ after: before, missed: 0 }) };
  }

  /** Gaps as they are shown: with how long we were there to hear anything. */
  async show(gaps: readonly HeartbeatGap[]): Promise<HeartbeatGapDto[]> {
    const oldest = gaps.at(-1);
    if (!oldest) return [];
    const now = this.clock.now();
    const spans = await this.listening.findSince(oldest.after);
    return gaps.map(({ after, until, missed }) => ({
      after,
      until: until ?? null,
      missed,
      listened_ms: coveredTime(spans, after, until ?? now),
    }));
  }
}
