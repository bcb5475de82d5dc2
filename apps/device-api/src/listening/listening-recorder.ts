import { coverageInterval } from '#domain';
import { CoverageRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DeviceApiConfig } from '../config.js';

/**
 * Records that this process is accepting reports and can store them, several times within the span after
 * which a bottle counts as silent. The notifier counts only such time as silence.
 */
@Injectable()
export class ListeningRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ListeningRecorder.name);
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

  /** Moves the present span on; begins another when the database could not be reached in between. */
  async record(): Promise<void> {
    const now = this.clock.now();
    this.span ??= { _id: randomUUID(), from: now };
    try {
      await this.spans.extend({ ...this.span, until: now });
    } catch (error) {
      this.span = undefined;
      this.logger.warn(`not listening: ${error instanceof Error ? error.name : String(error)}`);
    }
  }
}
