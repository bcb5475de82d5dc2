import { coverageInterval } from '#domain';
import { CoverageRepository, type CoverageSpan } from '#persistence';
import { Clock, WorkerGroup } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { hostname } from 'node:os';
import { DeviceApiConfig } from './config.js';

/**
 * Records that this process accepts reports and can store them, several times within the time after which a bottle
 * counts as silent. The notifier counts only recorded time as silence. A span ends when a beat is late: a process that
 * was frozen, or could not reach the database, did not listen meanwhile. Until its place beats again, or it stops in an
 * orderly way, its bottles may wait for it, so for a while nobody's silence counts.
 */
@Injectable()
export class CoverageRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(CoverageRecorder.name);
  private readonly every: number;
  private timer: NodeJS.Timeout | undefined;
  /** `until` is the last beat that the database has stored. */
  private span: CoverageSpan | undefined;
  /** While a beat waits for the database. */
  private beat: Promise<void> | undefined;
  /** A process that takes the place of another one proves that the other is gone. */
  private listener: string | undefined;

  constructor(
    private readonly spans: CoverageRepository,
    private readonly clock: Clock,
    private readonly workers: WorkerGroup,
    private readonly config: DeviceApiConfig,
  ) {
    this.every = coverageInterval(config.SILENT_BOTTLE_AFTER);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.listener = [hostname(), this.config.DEVICE_API_PORT, await this.workers.place()].join(':');
    this.timer = setInterval(() => void this.record(), this.every).unref();
    void this.record();
  }

  /** All requests are answered by now. After a beat that failed, the database is not waited for. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.beat;
    const { span } = this;
    this.span = undefined;
    if (!span) return;
    await this.spans
      .end(span)
      .catch((error: unknown) =>
        this.logger.warn(`the end of its coverage is not recorded: ${String(error)}`),
      );
  }

  /** Extends the current span, or begins another. Does nothing while the beat before waits for the database. */
  async record(): Promise<void> {
    if (this.beat) return;
    this.beat = this.store();
    await this.beat;
    this.beat = undefined;
  }

  private async store(): Promise<void> {
    const { span: before, every, listener } = this;
    const about = listener === undefined ? {} : { listener };
    try {
      this.span = await this.spans.beat('device-api', before, this.clock.now(), every, about);
      if (before && this.span._id !== before._id)
        this.logger.warn(`coverage gap since ${before.until.toISOString()}`);
    } catch (error) {
      this.span = undefined;
      this.logger.warn(`coverage gap: ${error instanceof Error ? error.name : String(error)}`);
    }
  }
}
