import { Clock } from '#platform';
import { LiveCharts } from '#timeseries';
import { Injectable } from '@nestjs/common';
import type { IngestDto } from './fleet.dto.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * What came in over the last minute, as device-api has counted it by the second: some documents, however many
 * bottles report. It counts once a second, so the newest second may be missing.
 */
@Injectable()
export class IngestRate {
  constructor(
    private readonly live: LiveCharts,
    private readonly clock: Clock,
  ) {}

  async lastMinute(): Promise<IngestDto> {
    const now = this.clock.now().getTime();
    // sixty seconds, the present one is the last
    const { series, columns } = await this.live.chart(new Date(now - MINUTE + SECOND), new Date(now + 1));
    const sumOf = (...keys: string[]): number | null => {
      const counts = series
        .flatMap(({ key }, index) => (keys.includes(key) ? columns[index + 1]! : []))
        .filter((count): count is number => count !== null);
      return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
    };
    return { heartbeats_per_minute: sumOf('heartbeats'), actions_per_minute: sumOf('opened', 'closed') };
  }
}
