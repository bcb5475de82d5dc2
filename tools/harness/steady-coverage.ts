import { CoverageRepository } from '#persistence';
import type { Clock } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { randomUUID } from 'node:crypto';

/**
 * The coverage of a device-api whose fake clock jumps from event to event. Its own recorder beats by the machine's
 * time, so to it every jump is a time in which it was frozen.
 */
export class SteadyCoverage {
  private readonly _id = randomUUID();
  private readonly from: Date;

  constructor(
    private readonly device: NestFastifyApplication,
    private readonly clock: Clock,
  ) {
    this.from = clock.now();
  }

  /** Records that it has accepted reports from its start until now. */
  async record(): Promise<void> {
    const { _id, from } = this;
    await this.device.get(CoverageRepository).extend({ _id, from, until: this.clock.now() });
  }
}
