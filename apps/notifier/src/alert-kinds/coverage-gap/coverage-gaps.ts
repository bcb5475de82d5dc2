import {
  COVERAGE_PARTS,
  coverageInterval,
  type CoveragePart,
  DAY_MS,
  endOfGap,
  type LongGap,
  longGaps,
  serviceGapAlert,
  slotsBetween,
} from '#domain';
import {
  type Bottle,
  BottlesRepository,
  CoverageGapsRepository,
  CoverageRepository,
  type CoverageSpan,
  FLEET,
} from '#persistence';
import { Clock } from '#platform';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import { NotifierConfig } from '../../config.js';
import { Channels } from '../../delivery/channels/index.js';

/** How often a notifier records that its checks run, and looks for gaps. Milliseconds. */
export const CHECK_BEAT_MS = 10_000;
/** Of a gap that is found only so long after its end nobody is notified. Milliseconds. */
const RECENT_MS = DAY_MS;
const PAGE = 500;

/**
 * Raises and ends `coverage_gap`, by which the operator learns of the times in which no device-api accepted reports or
 * no notifier ran its checks. Any number of notifiers may do so: alerts and gaps have ids made of their beginning.
 */
@Injectable()
export class CoverageGaps implements BeforeApplicationShutdown {
  private readonly logger = new Logger(CoverageGaps.name);
  private span: CoverageSpan | undefined;

  constructor(
    private readonly coverage: CoverageRepository,
    private readonly gaps: CoverageGapsRepository,
    private readonly bottles: BottlesRepository,
    private readonly alerts: AlertsService,
    private readonly channels: Channels,
    private readonly clock: Clock,
    private readonly config: NotifierConfig,
  ) {}

  /** Records that all checks of this notifier have run until a moment, and over which channels it sends. */
  async recordChecks(until: Date): Promise<void> {
    if (this.span && until <= this.span.until) return;
    const channels = this.channels.setUp;
    this.span = await this.coverage.beat('notifier', this.span, until, CHECK_BEAT_MS, { channels });
  }

  /** Then its channels do not count any more; after a kill, they do for a minute. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.span) return;
    await this.coverage
      .end(this.span, 'notifier')
      .catch((error: unknown) =>
        this.logger.warn(`the end of its coverage is not recorded: ${String(error)}`),
      );
  }

  /** Raises and ends the alerts of both parts. May be repeated after a crash at any step. */
  async run(stopping = () => false): Promise<void> {
    const now = this.clock.now();
    for (const part of COVERAGE_PARTS) {
      for (const { from, until } of await this.findChanged(part, now)) {
        const ended = until && { until, doses: await this.countDoses(from, until, stopping) };
        if (stopping()) return;
        const gap = serviceGapAlert(FLEET, { part, from, ended }, this.config.COVERAGE_GAP_AFTER, now);
        await this.alerts.raise([gap], now);
        await this.gaps.record({ _id: idOf(part, from), part, from, ...ended });
      }
    }
  }

  /**
   * Gaps that are not recorded yet, and recorded ones that have ended. Those end whatever is long or recent by now: one
   * that stayed open would hold up notifications for ever.
   */
  private async findChanged(part: CoveragePart, now: Date): Promise<LongGap[]> {
    const open = await this.gaps.findOpen(part);
    const recent = new Date(now.getTime() - RECENT_MS);
    const since = new Date(Math.min(recent.getTime(), ...open.map(({ from }) => from.getTime())));
    const spans = await this.coverage.findAround(part, since);
    const intervalMs =
      part === 'notifier' ? CHECK_BEAT_MS : coverageInterval(this.config.SILENT_BOTTLE_AFTER);
    const ended = open.flatMap(({ from }) => {
      const until = endOfGap(spans, from, now, intervalMs);
      return until ? [{ from, until }] : [];
    });
    const long = longGaps(spans, now, { intervalMs, longerThanMs: this.config.COVERAGE_GAP_AFTER }).filter(
      ({ until }) => !until || until >= recent,
    );
    if (long.length === 0) return ended;
    const recorded = await this.gaps.findByIds(long.map(({ from }) => idOf(part, from)));
    return [...ended, ...long.filter(({ from }) => !recorded.some(({ _id }) => _id === idOf(part, from)))];
  }

  /** How many doses were due in `[from, until)`. Reads the whole fleet: a gap is rare. */
  private async countDoses(from: Date, until: Date, stopping: () => boolean): Promise<number> {
    let doses = 0;
    for await (const page of this.bottles.pages(PAGE)) {
      if (stopping()) break;
      for (const bottle of page) doses += dosesDue(bottle, from, until);
    }
    return doses;
  }
}

const idOf = (part: CoveragePart, from: Date): string => `${part} ${from.toISOString()}`;

/** None of a bottle whose schedule cannot be read: the check of doses quarantines it. */
function dosesDue({ schedule_versions: versions, pauses: periods }: Bottle, from: Date, until: Date): number {
  try {
    return slotsBetween(versions, periods, from, until).length;
  } catch {
    return 0;
  }
}
