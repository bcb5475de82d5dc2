import { isCanary } from '#domain';
import { Clock } from '#platform';
import { LiveCounts } from '#timeseries';
import { Injectable, Logger, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import type { ReportResult } from './report.js';

const FLUSH_EVERY_MS = 1_000;

/** Counts by the second for the live chart, in memory: all other counts follow the log, in the notifier. */
@Injectable()
export class Activity implements OnApplicationBootstrap {
  private readonly logger = new Logger(Activity.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    @Optional() private readonly live?: LiveCounts,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS).unref();
    void this.flush();
  }

  /** Counts what of a group is new in the log. */
  count(results: readonly ReportResult[]): void {
    const counts = {
      heartbeats: new Map<number, number>(),
      opened: new Map<number, number>(),
      closed: new Map<number, number>(),
    };
    for (const result of results) {
      if (result.kind !== 'stored' || result.duplicate) continue;
      const { report } = result;
      if (isCanary(report.document.bottle_id)) continue;
      const times = counts[report.kind === 'heartbeat' ? 'heartbeats' : report.document.action];
      const at = report.receivedAt.getTime();
      times.set(at, (times.get(at) ?? 0) + 1);
    }
    for (const kind of ['heartbeats', 'opened', 'closed'] as const)
      for (const [at, count] of counts[kind]) this.live?.count(kind, new Date(at), count);
  }

  /** Counts refused reports, by the code of the response. */
  refused(code: string, at: Date, count = 1): void {
    this.live?.refuse(code, at, count);
  }

  /** The orderly end: to be awaited when the last report has been counted, and before the connection is closed. */
  async finish(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    await this.live
      ?.flush(this.clock.now())
      .catch((error: unknown) => this.logger.warn(`live counts lost: ${String(error)}`));
  }
}
