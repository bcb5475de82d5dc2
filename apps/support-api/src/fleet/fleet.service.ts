import { ALARMING_KINDS, type AlarmingKind, type AlertKind, MINUTE_MS, SECOND_MS } from '#domain';
import {
  AlertListsRepository,
  AlertsRepository,
  BottleStatesRepository,
  type BottleStatus,
  CoverageGapsRepository,
  CoverageRepository,
  DeadlinesRepository,
  FLEET_ID,
} from '#persistence';
import { Clock } from '#platform';
import { FleetCharts } from '#timeseries';
import { Injectable } from '@nestjs/common';
import { SupportApiConfig } from '../config.js';
import { readRange } from '../http/time-range.js';
import { viewOf } from '../http/view.js';
import {
  CoverageGapDto,
  type CoverageGapsDto,
  type CoverageGapsQuery,
  type FleetDto,
  type IngestDto,
  type NotifierDto,
} from './fleet.dto.js';

const DEFAULT_GAPS_MS = 30 * 24 * 60 * MINUTE_MS;
/** Counting takes at most one part in this many of the time. */
const COUNTING_SHARE = 10;
/** Counts that are kept for longer than this are so expensive that no change makes them be counted again sooner. */
const CHEAP_MS = 1_000;

interface Counts {
  at: Date;
  bottles: Record<BottleStatus, number>;
  /** Open or acknowledged. */
  alerts: FleetDto['open_alerts'];
  attention: FleetDto['needs_attention'];
  unassigned: FleetDto['unassigned'];
}

/** The whole fleet in numbers, without reading the whole fleet. */
@Injectable()
export class FleetService {
  private lastCounts: Promise<Counts> | undefined;
  /** How long the last counts are kept. */
  private keptMs = 0;

  constructor(
    private readonly states: BottleStatesRepository,
    private readonly alerts: AlertsRepository,
    private readonly lists: AlertListsRepository,
    private readonly deadlines: DeadlinesRepository,
    private readonly coverage: CoverageRepository,
    private readonly gaps: CoverageGapsRepository,
    private readonly fleetCharts: FleetCharts,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** @throws Problem 400 for an invalid range */
  async coverageGaps(query: CoverageGapsQuery): Promise<CoverageGapsDto> {
    const { from, to } = readRange(query, this.clock.now(), DEFAULT_GAPS_MS);
    const gaps = await this.gaps.findDuring(from, to);
    return { items: gaps.map((gap) => viewOf(CoverageGapDto, gap)) };
  }

  async overview(): Promise<FleetDto> {
    const now = this.clock.now();
    const [{ at, bottles, alerts, attention, unassigned }, ingest, lag_ms, notifiers] = await Promise.all([
      this.counts(),
      this.ingestRate(now),
      this.lag(),
      this.coverage.findNotifiersChannels(now),
    ]);
    return {
      counted_at: at,
      bottles: {
        total: Object.values(bottles).reduce((sum, count) => sum + count, 0),
        by_status: bottles,
      },
      open_alerts: alerts,
      needs_attention: attention,
      unassigned,
      ingest,
      notifier: { lag_ms, running: notifiers.length },
    };
  }

  /** For each check, how long the most overdue bottle has waited. Milliseconds. */
  async lag(): Promise<NotifierDto['lag_ms']> {
    const now = this.clock.now();
    // our own outage is no lag of the notifier
    const judged = await this.coverage.findDueBy(now, this.config.SILENT_BOTTLE_AFTER);
    const [silent, open, dose] = await Promise.all([
      this.deadlines.lag('silent', judged),
      this.deadlines.lag('open', judged),
      this.deadlines.lag('dose', now),
    ]);
    return { silent, open, dose };
  }

  /**
   * Bottles by status and open alerts by kind. The cost of counting grows with the number of open alerts. Therefore
   * concurrent requests share one count, and a count is kept for nine times as long as it took: no time in a small
   * fleet, a fraction of a second with 10,000 open alerts. See {@link forgetCounts}.
   */
  private counts(): Promise<Counts> {
    this.lastCounts ??= this.count();
    return this.lastCounts;
  }

  /**
   * Pages are about to be notified of a change: what they read then is counted after the change. Otherwise they
   * would show the count before it until they ask again by themselves.
   */
  forgetCounts(): void {
    if (this.keptMs <= CHEAP_MS) this.lastCounts = undefined;
  }

  private async count(): Promise<Counts> {
    const at = this.clock.now();
    // measures the cost of counting, so it is not the injected clock
    const began = performance.now();
    const forget = (): void => void (this.lastCounts = undefined);
    try {
      const [incident] = await this.alerts.findOpen([FLEET_ID], 'fleet_incident');
      const [bottles, { active, attention, unassigned }] = await Promise.all([
        this.states.countByStatus(),
        this.lists.countActive(incident?.raised_at),
      ]);
      this.keptMs = (COUNTING_SHARE - 1) * (performance.now() - began);
      setTimeout(forget, this.keptMs).unref();
      return {
        at,
        bottles,
        alerts: ofAllKinds(active),
        attention: ofAllKinds(attention),
        unassigned: ofAllKinds(unassigned),
      };
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Reports of the last minute, from device-api's counts per second. The newest second may be missing. */
  private async ingestRate(now: Date): Promise<IngestDto> {
    // sixty seconds, including the current one
    const from = new Date(now.getTime() - MINUTE_MS + SECOND_MS);
    const { series, columns } = await this.fleetCharts.live(from, new Date(now.getTime() + 1), now);
    const counts = new Map(series.map(({ key }, index) => [key, columns[index + 1]!]));
    const sumOf = (...keys: string[]): number | null => {
      const known = keys.flatMap((key) => counts.get(key) ?? []).filter((count) => count !== null);
      return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
    };
    return { heartbeats_per_minute: sumOf('heartbeats'), actions_per_minute: sumOf('opened', 'closed') };
  }
}

const ofAllKinds = (counts: ReadonlyMap<AlertKind, number>): Record<AlarmingKind, number> =>
  Object.fromEntries(ALARMING_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<
    AlarmingKind,
    number
  >;
