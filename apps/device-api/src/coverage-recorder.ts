import { coverageInterval } from '#domain';
import { CoverageRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DeviceApiConfig } from './config.js';

/**
 * Records that this process accepts reports and can store them, several times within the time after which a bottle
 * counts as silent. The notifier counts only recorded time as silence.
 */
@Injectable()
export class CoverageRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(CoverageRecorder.name);
  private readonly every: number;
  private timer: NodeJS.Timeout | undefined;
  private span: { _id: string; from: Date } | undefined;

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

  /** Extends the current span; starts another if the database could not be reached in between. */
  async record(): Promise<void> {
    const now = this.clock.now();
    this.span ??= { _id: randomUUID(), from: now };
    try {
      await this.spans.extend({ ...this.span, until: now });
    } catch (error) {
      this.span = undefined;
      this.logger.warn(`coverage gap: ${error instanceof Error ? error.name : String(error)}`);
    }
  }
}
