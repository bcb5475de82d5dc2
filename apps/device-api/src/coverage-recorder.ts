import { coverageInterval } from '#domain';
import { CoverageRepository, type CoverageSpan } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DeviceApiConfig } from './config.js';

/**
 * Records that this process accepts reports and can store them, several times within the time after which a bottle
 * counts as silent. The notifier counts only recorded time as silence. A span ends when a beat is late: a process that
 * was frozen, or could not reach the database, did not listen meanwhile.
 */
@Injectable()
export class CoverageRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(CoverageRecorder.name);
  private readonly every: number;
  private timer: NodeJS.Timeout | undefined;
  /** `until` is the last beat that the database has stored. */
  private span: CoverageSpan | undefined;
  private isBeating = false;

  constructor(
    private readonly spans: CoverageRepository,
    private readonly clock: Clock,
    config: DeviceApiConfig,
  ) {
    this.every = coverageInterval(config.SILENT_BOTTLE_AFTER);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.record(), this.every).unref();
    void this.record();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Extends the current span, or begins another. Does nothing while the beat before waits for the database. */
  async record(): Promise<void> {
    if (this.isBeating) return;
    this.isBeating = true;
    try {
      const span = await this.spans.beat('device-api', this.span, this.clock.now(), this.every);
      if (this.span && span._id !== this.span._id)
        this.logger.warn(`coverage gap since ${this.span.until.toISOString()}`);
      this.span = span;
    } catch (error) {
      this.span = undefined;
      this.logger.warn(`coverage gap: ${error instanceof Error ? error.name : String(error)}`);
    } finally {
      this.isBeating = false;
    }
  }
}
