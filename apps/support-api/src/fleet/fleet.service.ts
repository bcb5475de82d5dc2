import { ALERT_KINDS, type AlertKind } from '#domain';
import { DeadlinesRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import type { FleetDto } from './fleet.dto.js';
import { FleetCounts } from './fleet-counts.js';
import { IngestRate } from './ingest-rate.js';

/** The whole fleet in numbers; nothing here walks it. */
@Injectable()
export class FleetService {
  constructor(
    private readonly counts: FleetCounts,
    private readonly ingest: IngestRate,
    private readonly deadlines: DeadlinesRepository,
    private readonly clock: Clock,
  ) {}

  async overview(): Promise<FleetDto> {
    const now = this.clock.now();
    const [counted, ingest, silent, open, dose] = await Promise.all([
      this.counts.read(),
      this.ingest.lastMinute(),
      this.deadlines.lag('silent', now),
      this.deadlines.lag('open', now),
      this.deadlines.lag('dose', now),
    ]);
    return {
      counted_at: counted.at,
      bottles: {
        total: Object.values(counted.bottles).reduce((sum, count) => sum + count, 0),
        by_status: counted.bottles,
      },
      open_alerts: Object.fromEntries(ALERT_KINDS.map((kind) => [kind, counted.alerts[kind] ?? 0])) as Record<
        AlertKind,
        number
      >,
      ingest,
      notifier: { lag_ms: { silent, open, dose } },
    };
  }
}
