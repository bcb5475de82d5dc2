import { ALERT_KINDS, type AlertKind } from '#domain';
import {
  AlertListsRepository,
  BottleStatesRepository,
  type BottleStatus,
  CoverageRepository,
  DeadlinesRepository,
} from '#persistence';
import { Clock } from '#platform';
import { LiveCharts } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import type { FleetDto, IngestDto } from './fleet.dto.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Counting takes at most one part in this many of the time. */
const COUNTING_SHARE = 10;

interface Counts {
  at: Date;
  bottles: Record<BottleStatus, number>;
  /** Open or acknowledged; a kind without alerts is absent. */
  alerts: Partial<Record<AlertKind, number>>;
}

/** The whole fleet in numbers, without reading the whole fleet. */
@Injectable()
export class FleetService {
  private lastCounts: Promise<Counts> | undefined;

  constructor(
    private readonly states: BottleStatesRepository,
    private readonly alerts: AlertListsRepository,
    private readonly deadlines: DeadlinesRepository,
    private readonly coverage: CoverageRepository,
    private readonly liveCharts: LiveCharts,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  async overview(): Promise<FleetDto> {
    const now = this.clock.now();
    // our own outage is no lag of the notifier
    const judged = await this.coverage.findDueBy(now, this.config.SILENT_BOTTLE_AFTER);
    const [{ at, bottles, alerts }, ingest, silent, open, dose] = await Promise.all([
      this.counts(),
      this.ingestRate(now),
      this.deadlines.lag('silent', judged),
      this.deadlines.lag('open', judged),
      this.deadlines.lag('dose', now),
    ]);
    return {
      counted_at: at,
      bottles: {
        total: Object.values(bottles).reduce((sum, count) => sum + count, 0),
        by_status: bottles,
      },
      open_alerts: Object.fromEntries(
        ALERT_KINDS.map((kind) => [kind, alerts[kind] ?? 0]),
      ) as FleetDto['open_alerts'],
      ingest,
      notifier: { lag_ms: { silent, open, dose } },
    };
  }

  /**
   * Bottles by status and open alerts by kind. The cost of counting grows with the number of open alerts. Therefore
   * concurrent requests share one count, and a count is kept for nine times as long as it took: no time in a small
   * fleet, a fraction of a second with 10,000 open alerts.
   */
  private counts(): Promise<Counts> {
    this.lastCounts ??= this.count();
    return this.lastCounts;
  }

  private async count(): Promise<Counts> {
    const at = this.clock.now();
    // measures the cost of counting, so it is not the injected clock
    const began = performance.now();
    const forget = (): void => void (this.lastCounts = undefined);
    try {
      const [bottles, alerts] = await Promise.all([this.states.countByStatus(), this.alerts.countOpen()]);
      setTimeout(forget, (COUNTING_SHARE - 1) * (performance.now() - began)).unref();
      return { at, bottles, alerts };
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Reports of the last minute, from device-api's counts per second. The newest second may be missing. */
  private async ingestRate(now: Date): Promise<IngestDto> {
    // sixty seconds, including the current one
    const from = new Date(now.getTime() - MINUTE + SECOND);
    const { series, columns } = await this.liveCharts.chart(from, new Date(now.getTime() + 1));
    const counts = new Map(series.map(({ key }, index) => [key, columns[index + 1]!]));
    const sumOf = (...keys: string[]): number | null => {
      const known = keys.flatMap((key) => counts.get(key) ?? []).filter((count) => count !== null);
      return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
    };
    return { heartbeats_per_minute: sumOf('heartbeats'), actions_per_minute: sumOf('opened', 'closed') };
  }
}
